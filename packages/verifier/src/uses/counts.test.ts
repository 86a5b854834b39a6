import { expect, test } from 'vitest';
import { createCounts } from './counts.ts';

const one = (token: string, address: string | undefined, lastAt = 1) => ({
  token,
  address,
  count: 1,
  lastAt,
});

test('requests count by token and address, with the time of the last', () => {
  const counts = createCounts(10);
  expect(counts.add(one('a', '192.0.2.1', 5))).toBe(true);
  for (const lastAt of [7, 6]) expect(counts.add(one('a', '192.0.2.1', lastAt))).toBe(false);
  counts.add(one('a', undefined, 8));
  counts.add(one('b', '192.0.2.1', 9));
  expect(counts.take(10)).toEqual([
    { token: 'a', address: '192.0.2.1', count: 3, lastAt: 7 },
    { token: 'a', address: undefined, count: 1, lastAt: 8 },
    { token: 'b', address: '192.0.2.1', count: 1, lastAt: 9 },
  ]);
  expect([counts.size, counts.take(10)]).toEqual([0, []]);
});

test('at most so many are taken, and the others stay', () => {
  const counts = createCounts(10);
  for (const address of ['1', '2', '3']) counts.add(one('a', address));
  counts.add(one('b', '1'));
  expect(counts.take(2).map(({ address }) => address)).toEqual(['1', '2']);
  expect(counts.take(9).map(({ token, address }) => token + address)).toEqual(['a3', 'b1']);
});

test('a count that the server would refuse is taken in parts', () => {
  const counts = createCounts(10);
  counts.add({ ...one('a', undefined), count: 2_000_001 });
  expect(counts.take(2).map(({ count }) => count)).toEqual([1_000_000, 1_000_000]);
  expect(counts.take(2).map(({ count }) => count)).toEqual([1]);
});

test('one token from ever more addresses takes no more memory, and no request is lost', () => {
  const counts = createCounts(10);
  for (let address = 0; address < 1000; address += 1) counts.add(one('a', `${address}`));
  const taken = counts.take(1000);
  expect(taken.map(({ address }) => address)).toEqual([
    '992',
    '993',
    '994',
    '995',
    '996',
    '997',
    '998',
    '999',
  ]);
  expect(taken.reduce((sum, { count }) => sum + count, 0)).toBe(1000);
});

test('if there are too many tokens, the one is forgotten that came in first', () => {
  const counts = createCounts(2);
  for (const token of ['a', 'b', 'c']) counts.add(one(token, undefined));
  expect(counts.take(10).map(({ token }) => token)).toEqual(['b', 'c']);
});
