import { expect, it } from 'vitest';
import { median, percentile, ratioInterval, ratios, spread } from './statistics.ts';

it.each([
  ['the middle value, in any order', [9, 1, 5], 5],
  ['the middle of numbers, not of texts', [100, 9, 10], 10],
  ['between the two middle values of an even number', [4, 1, 3, 100], 3.5],
])('a median is %s', (_, values, expected) => {
  expect(median(values)).toBe(expected);
});

it.each([
  [0, 1],
  [0.5, 50],
  [0.99, 99],
  [1, 100],
])('the percentile %d is a measured value that this share does not exceed', (share, expected) => {
  const hundred = Array.from({ length: 100 }, (_, index) => 100 - index);
  expect(percentile(hundred, share)).toBe(expected);
});

it.each([
  ['within each round: a machine that slows down for all changes nothing', [20, 40, 200], [2, 2, 2]],
  ['so that one bad round leaves their median as it is', [20, 9_000, 200], [2, 450, 2]],
])('ratios are %s', (_, values, expected) => {
  expect(ratios(values, [10, 20, 100])).toEqual(expected);
});

it('a spread is the median and what half of the values lie between', () => {
  const fifteen = Array.from({ length: 15 }, (_, index) => index + 1);
  expect(spread(fifteen.toReversed())).toEqual({ low: 4, middle: 8, high: 12 });
});

it('nothing has no median and no percentile, and each ratio needs a reference', () => {
  for (const of of [() => median([]), () => percentile([], 0.5), () => spread([]), () => ratios([1, 2], [1])])
    expect(of).toThrow(RangeError);
});

it('gives the ratio of rounds with an interval that is as wide as they differ', () => {
  expect(ratioInterval([2, 4, 6], [1, 2, 3])).toEqual({ low: 2, middle: 2, high: 2 });
  const { low, middle, high } = ratioInterval([1.1, 0.9, 1.1, 0.9], [1, 1, 1, 1]);
  expect(middle).toBeCloseTo(0.995, 3);
  expect([low < 0.95, high > 1.05, high < 1.2]).toEqual([true, true, true]);
  expect(() => ratioInterval([1], [1])).toThrow(RangeError);
});
