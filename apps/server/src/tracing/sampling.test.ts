import { describe, expect, test } from 'vitest';
import { createSampler } from './sampling.ts';

const [TRACE, SPAN] = ['0af7651916cd43dd8448eb211c80319c', 'b7ad6b7169203331'];
const [SAMPLED, UNSAMPLED] = [`00-${TRACE}-${SPAN}-01`, `00-${TRACE}-${SPAN}-00`];
const CALLER = { traceId: TRACE, spanId: SPAN, isRemote: true };

const sampler = (
  name: Parameters<typeof createSampler>[0]['OTEL_TRACES_SAMPLER'],
  ratio = 1,
  draw?: () => number,
) => createSampler({ OTEL_TRACES_SAMPLER: name, OTEL_TRACES_SAMPLER_ARG: ratio }, draw);

describe('a server where callers decide nothing', () => {
  test.each([SAMPLED, UNSAMPLED])('records every request, with a link to its caller: %s', (traceparent) => {
    const sample = sampler('always_on', 0);
    expect(sample(undefined)).toEqual({});
    expect(sample(traceparent)).toMatchObject({ linked: CALLER });
    expect(sample(traceparent)).not.toHaveProperty('parent');
  });

  test('draws by itself: a caller who asks to be recorded, by its flag or its id, is not recorded more often', () => {
    let drawn = 0.1;
    const sample = sampler('traceidratio', 0.1, () => drawn);
    const lowest = `00-${'0'.repeat(31)}1-${SPAN}-01`;
    for (const traceparent of [undefined, SAMPLED, lowest]) expect(sample(traceparent)).toBeUndefined();
    drawn = 0.099;
    for (const traceparent of [undefined, SAMPLED, UNSAMPLED]) expect(sample(traceparent)).toBeDefined();
  });
});

describe('a server whose callers decide', () => {
  test('continues their traces, and records what they record', () => {
    const sample = sampler('parentbased_traceidratio', 0);
    expect(sample(SAMPLED)).toMatchObject({ parent: CALLER });
    expect(sample(UNSAMPLED)).toBeUndefined();
  });

  test('decides itself where no caller is known', () => {
    expect(sampler('parentbased_always_on')(undefined)).toEqual({});
    expect(sampler('parentbased_traceidratio', 0.5, () => 0.5)(undefined)).toBeUndefined();
    expect(sampler('parentbased_traceidratio', 0.5, () => 0.4)(undefined)).toEqual({});
  });
});

test.each([
  '',
  'x',
  `00-${'0'.repeat(32)}-${SPAN}-01`,
  `00-${TRACE}-${'0'.repeat(16)}-01`,
  `ff-${TRACE}-${SPAN}-01`,
  `00-${TRACE.toUpperCase()}-${SPAN}-01`,
  `${SAMPLED}, ${SAMPLED}`,
  `${SAMPLED}-more`,
])('%j names no caller', (traceparent) => {
  expect(sampler('parentbased_always_on')(traceparent)).toEqual({});
});
