import { expect, test } from 'vitest';
import { createBackoff } from './backoff.ts';

const LIMITS = { firstMs: 50, longestMs: 1000 };
const nextWaits = (random: () => number, count: number) => {
  const backoff = createBackoff({ ...LIMITS, random });
  return Array.from({ length: count }, backoff.next);
};

test('delays double up to the maximum', () => {
  expect(nextWaits(() => 0, 7)).toEqual([50, 100, 200, 400, 800, 1000, 1000]);
});

test('processes that failed together wait for different times, and at least half of the limit', () => {
  expect(nextWaits(() => 0.5, 3)).toEqual([37.5, 75, 150]);
  expect(nextWaits(() => 0.999_999, 1)[0]).toBeCloseTo(25, 3);
});

test('after a reset the first delay is short again', () => {
  const backoff = createBackoff({ ...LIMITS, random: () => 0 });
  for (let count = 0; count < 4; count += 1) backoff.next();
  backoff.reset();
  expect(backoff.next()).toBe(50);
});
