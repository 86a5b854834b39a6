import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { readConditions } from './conditions.ts';
import { isOutside, parseNetwork } from './networks.ts';

/** The table that Gatehouse itself is tested with. */
const { membership } = JSON.parse(
  readFileSync(new URL('../../../domain/src/tokens/networks/vectors/networks.json', import.meta.url), 'utf8'),
) as { membership: { network: string; address: string; isIn: boolean }[] };

test.each(membership)('$address is in $network: $isIn', ({ network, address, isIn }) => {
  expect(isOutside([parseNetwork(network)], address)).toBe(!isIn);
});

test('an address that is not known is outside', () => {
  expect(isOutside([parseNetwork('::/1')], undefined)).toBe(true);
});

test.each(['', '203.0.113.0', '203.0.113.0/33', '2001:db8::/129', 'x/8', '203.0.113.0/-1'])(
  '%j is not a network',
  (text) => {
    expect(() => parseNetwork(text)).toThrow(TypeError);
  },
);

test('enforced networks are decided, and report-only ones are not', () => {
  const list = ['203.0.113.0/24'];
  expect(readConditions({ networks: { mode: 'enforced', list } })).toEqual(list.map(parseNetwork));
  for (const none of [undefined, {}, { networks: { mode: 'report-only', list } }])
    expect(readConditions(none)).toBeUndefined();
});

test('a condition or a mode that the verifier does not know is told as such', () => {
  const list = ['203.0.113.0/24'];
  expect(readConditions({ hours: '9-17' })).toBe('unknown');
  expect(readConditions({ networks: { mode: 'enforced', list }, hours: '9-17' })).toBe('unknown');
  expect(readConditions({ networks: { mode: 'strict', list } })).toBe('unknown');
  for (const bad of [{ networks: {} }, { networks: { mode: 'enforced', list: ['x'] } }])
    expect(() => readConditions(bad)).toThrow(TypeError);
});
