import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { createBatchedReads } from './shared-reads.ts';

/** A store of squares, which are asked for in batches; odd ones are missing. */
function openSquares(begin?: (statement: () => Promise<void>) => Promise<void>) {
  const batches: (readonly number[])[] = [];
  const read = createBatchedReads(async (keys: readonly number[]) => {
    batches.push(keys);
    if (keys.includes(13)) throw new Error('unlucky');
    return keys.map((key) => (key % 2 === 0 ? key * key : undefined));
  }, begin);
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

test('reads that come while there is no connection are made together when there is one', async () => {
  const connection = Promise.withResolvers<void>();
  const { read, batches } = openSquares((statement) => connection.promise.then(statement));
  const first = read(2);
  await nextTurn();
  const second = read(4);
  await nextTurn();
  expect(batches).toEqual([]);
  connection.resolve();
  expect(await Promise.all([first, second])).toEqual([4, 16]);
  expect(batches).toEqual([[2, 4]]);
});

test('reads fail if there is no connection for them, and the next ones do not', async () => {
  let isFull = true;
  const { read } = openSquares((statement) => (isFull ? Promise.reject(new Error('full')) : statement()));
  await expect(Promise.all([read(2), read(4)])).rejects.toThrow('full');
  isFull = false;
  expect(await read(2)).toBe(4);
});
