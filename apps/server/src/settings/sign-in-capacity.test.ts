import { expect, test } from 'vitest';
import { concurrentHashes, maxHeldRefusals } from './sign-in-capacity.ts';

test.each([
  [10_000, 4_096],
  [2_000, 1_000],
  [1, 0],
])('of %s connections, delayed refusals of sign-ins take at most %s', (connections, held) => {
  expect(maxHeldRefusals(connections)).toBe(held);
});

test.each([
  [12, 1, 4],
  [12, 2, 4],
  [12, 3, 3],
  [12, 4, 2],
  [12, 8, 1],
  [12, 12, 1],
  [4, 1, 3],
  [2, 1, 1],
  [2, 2, 1],
  [1, 1, 1],
])('on %s cores, each of %s workers hashes at most %s passwords at once', (cores, WORKERS, hashes) => {
  expect(concurrentHashes({ WORKERS }, cores)).toBe(hashes);
});

test('a server with two, three or four workers hashes more passwords at once than one process', () => {
  const hashes = (WORKERS: number) => WORKERS * concurrentHashes({ WORKERS }, 12);
  expect([2, 3, 4].filter((workers) => hashes(workers) <= hashes(1))).toEqual([]);
});
