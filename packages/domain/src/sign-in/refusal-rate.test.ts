import { expect, test } from 'vitest';
import { createRefusalRateLimit } from './refusal-rate.ts';

function openPace() {
  const clock = { now: 1_000_000 };
  const pace = createRefusalRateLimit({ perSecond: 10, maxDelayMs: 500 }, { elapsedMs: () => clock.now });
  return { clock, delays: (count: number) => Array.from({ length: count }, pace) };
}

test('refusals below the rate are not delayed', () => {
  const { clock, delays } = openPace();
  for (let refusal = 0; refusal < 20; refusal += 1) {
    expect(delays(1)).toEqual([0]);
    clock.now += 100;
  }
});

test('refusals that come at once are sent one after the other, and none is delayed longer than the maximum', () => {
  const { clock, delays } = openPace();
  expect(delays(8)).toEqual([0, 100, 200, 300, 400, 500, 500, 500]);
  clock.now += 250;
  expect(delays(3)).toEqual([350, 450, 500]);
});

test('after a pause the next refusal is not delayed', () => {
  const { clock, delays } = openPace();
  delays(100);
  clock.now += 600;
  expect(delays(2)).toEqual([0, 100]);
});
