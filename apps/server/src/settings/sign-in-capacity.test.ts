import { expect, test } from 'vitest';
import { maxHeldRefusals } from './sign-in-capacity.ts';

test.each([
  [10_000, 4_096],
  [2_000, 1_000],
  [1, 0],
])('of %s connections, delayed refusals of sign-ins take at most %s', (connections, held) => {
  expect(maxHeldRefusals(connections)).toBe(held);
});
