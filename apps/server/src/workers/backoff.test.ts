import { expect, test } from 'vitest';
import { createReplacementBackoff } from './backoff.ts';

test('the first worker that ends is replaced at once, and those that end early again with growing delays', () => {
  const backoff = createReplacementBackoff(() => 0);
  const pauses = Array.from({ length: 10 }, () => backoff(500));
  expect(pauses).toEqual([0, 100, 200, 400, 800, 1600, 3200, 6400, 10_000, 10_000]);
});

test('a worker that served for a while is replaced at once', () => {
  const backoff = createReplacementBackoff(() => 0);
  for (let count = 0; count < 5; count += 1) backoff(500);
  expect([backoff(10_000), backoff(500)]).toEqual([0, 100]);
});

test('workers that end together are not all started together', () => {
  const backoff = createReplacementBackoff(() => 0.5);
  expect([backoff(500), backoff(500)]).toEqual([0, 75]);
});
