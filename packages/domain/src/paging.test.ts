import { expect, test, vi } from 'vitest';
import { allPages } from '../testing/index.ts';
import { type PageById, pagesById } from './paging.ts';

const THINGS = [1, 2, 3, 4, 5].map((id) => ({ id }));

const listing = (things: typeof THINGS) =>
  vi.fn(async ({ after = 0, limit }: PageById<number>) =>
    things.filter(({ id }) => id > after).slice(0, limit),
  );

test('pages follow each other without gap or repetition, and none is empty', async () => {
  expect(await allPages(pagesById(listing(THINGS), 2))).toEqual([
    [{ id: 1 }, { id: 2 }],
    [{ id: 3 }, { id: 4 }],
    [{ id: 5 }],
  ]);
  expect(await allPages(pagesById(listing(THINGS.slice(0, 4)), 2))).toHaveLength(2);
  expect(await allPages(pagesById(listing([]), 2))).toEqual([]);
});

test('a page is read when it is requested, and none after a page that was not full', async () => {
  const list = listing(THINGS);
  const pages = pagesById(list, 2);
  await pages.next();
  expect(list).toHaveBeenCalledTimes(1);
  await allPages(pages);
  expect(list).toHaveBeenCalledTimes(3);
});
