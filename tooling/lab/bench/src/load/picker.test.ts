import { expect, it } from 'vitest';
import { createPicker } from './picker.ts';

/** Goes evenly through what a random number can be. */
function evenly(steps: number): () => number {
  let step = 0;
  return () => (step++ % steps) / steps;
}

function counts(pick: () => number, count: number, times: number): number[] {
  const counted = new Array<number>(count).fill(0);
  for (let time = 0; time < times; time++) {
    const index = pick();
    counted[index] = (counted[index] ?? Number.NaN) + 1;
  }
  return counted;
}

it('in order, each is used once before any is repeated', () => {
  const pick = createPicker('in-order', 4, 2, Math.random);
  expect(Array.from({ length: 6 }, pick)).toEqual([2, 3, 0, 1, 2, 3]);
});

it('uniformly, all are used equally often', () => {
  expect(counts(createPicker('uniform', 4, 0, evenly(1000)), 4, 1000)).toEqual([250, 250, 250, 250]);
});

it('by Zipf’s law, the second is used half as often as the first, the third a third as often', () => {
  const [first = 0, second = 0, third = 0] = counts(createPicker('zipf', 3, 0, evenly(11_000)), 3, 11_000);
  expect(second / first).toBeCloseTo(1 / 2, 2);
  expect(third / first).toBeCloseTo(1 / 3, 2);
});

it('by Zipf’s law, the last of many is used, too', () => {
  expect(createPicker('zipf', 100_000, 0, () => 1 - Number.EPSILON)()).toBe(99_999);
});
