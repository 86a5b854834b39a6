import { describe, expect, it } from 'vitest';
import { median, medianRatio, percentile } from './statistics.ts';

describe('the median', () => {
  it('is the middle value, in any order', () => {
    expect(median([9, 1, 5])).toBe(5);
    expect(median([100, 9, 10])).toBe(10);
  });

  it('is between the two middle values of an even number', () => {
    expect(median([4, 1, 3, 100])).toBe(3.5);
  });

  it('of nothing does not exist', () => {
    expect(() => median([])).toThrow(RangeError);
  });
});

describe('a percentile', () => {
  const hundred = Array.from({ length: 100 }, (_, index) => 100 - index);

  it('is a measured value that this share does not exceed', () => {
    expect(percentile(hundred, 0.5)).toBe(50);
    expect(percentile(hundred, 0.99)).toBe(99);
  });

  it('is the least and the greatest value at the ends', () => {
    expect(percentile(hundred, 0)).toBe(1);
    expect(percentile(hundred, 1)).toBe(100);
  });

  it('of nothing does not exist', () => {
    expect(() => percentile([], 0.5)).toThrow(RangeError);
  });
});

describe('the median of ratios', () => {
  it('compares within each round: a machine that slows down for all changes nothing', () => {
    expect(medianRatio([20, 40, 200], [10, 20, 100])).toBe(2);
    expect(medianRatio([10, 60, 20], [1, 20, 10])).toBe(3);
  });

  it('is not affected by one bad round', () => {
    expect(medianRatio([20, 9_000, 20], [10, 10, 10])).toBe(2);
  });

  it('needs a reference for each value', () => {
    expect(() => medianRatio([1, 2], [1])).toThrow(RangeError);
  });
});
