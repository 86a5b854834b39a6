import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { createBatchedReads } from './batched-reads.ts';

/** A store of squares, which are asked for in batches; odd ones are missing. */
function openSquares() {
  const batches: (readonly number[])[] = [];
  const read = createBatchedReads(async (keys: readonly number[]) => {
    batches.push(keys);
    if (keys.includes(13)) throw new Error('unlucky');
    return keys.map((key) => (key % 2 === 0 ? key * key : undefined));
  });
  return { read, batches };
}

test('reads of one turn are made together, and each gets its own', async () => {
  const { read, batches } = openSquares();
  expect(await Promise.all([4, 3, 2, 4].map(read))).toEqual([16, undefined, 4, 16]);
  expect(batches).toEqual([[4, 3, 2, 4]]);
});

test('reads of a later turn are made while those before are under way', async () => {
  const { read, batches } = openSquares();
  const first = read(2);
  await nextTurn();
  const second = read(4);
  expect(await Promise.all([first, second])).toEqual([4, 16]);
  expect(batches).toEqual([[2], [4]]);
});

test('a fault is that of all reads of its batch, and of no other', async () => {
  const { read } = openSquares();
  const failing = [read(2), read(13)];
  await expect(Promise.all(failing)).rejects.toThrow('unlucky');
  expect((await Promise.allSettled(failing)).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  expect(await read(2)).toBe(4);
});
