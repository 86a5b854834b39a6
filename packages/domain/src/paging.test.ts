import { expect, test, vi } from 'vitest';
import { allPages } from '../testing/index.ts';
import { inPages } from './paging.ts';

const THINGS = [1, 2, 3, 4, 5].map((id) => ({ id }));

const listing = (things: typeof THINGS) =>
  vi.fn(async (last: { id: number } | undefined, size: number) =>
    things.filter(({ id }) => id > (last?.id ?? 0)).slice(0, size),
  );
const inPairs = { pageSize: 2 };

test('pages follow each other without gap or repetition, and none is empty', async () => {
  expect(await allPages(inPages(listing(THINGS), inPairs))).toEqual([
    [{ id: 1 }, { id: 2 }],
    [{ id: 3 }, { id: 4 }],
    [{ id: 5 }],
  ]);
  expect(await allPages(inPages(listing(THINGS.slice(0, 4)), inPairs))).toHaveLength(2);
  expect(await allPages(inPages(listing([]), inPairs))).toEqual([]);
});

test('no more is read than was asked for', async () => {
  expect(await allPages(inPages(listing(THINGS), { ...inPairs, limit: 3 }))).toEqual([
    [{ id: 1 }, { id: 2 }],
    [{ id: 3 }],
  ]);
  const list = listing(THINGS);
  await allPages(inPages(list, { ...inPairs, limit: 4 }));
  expect(list).toHaveBeenCalledTimes(2);
});

test('a page is read when it is requested, and none after a page that was not full', async () => {
  const list = listing(THINGS);
  const pages = inPages(list, inPairs);
  await pages.next();
  expect(list).toHaveBeenCalledTimes(1);
  await allPages(pages);
  expect(list).toHaveBeenCalledTimes(3);
});
