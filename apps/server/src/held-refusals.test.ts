import { expect, test } from 'vitest';
import { maxHeldRefusals } from './held-refusals.ts';

test.each([
  [10_000, 4_096],
  [2_000, 1_000],
  [1, 0],
])('of %s connections, refused sign-ins that are held back take %s at most', (connections, held) => {
  expect(maxHeldRefusals(connections)).toBe(held);
});
