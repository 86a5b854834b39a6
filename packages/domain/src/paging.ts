/**
 * A list that is read page by page. A page is read only when the caller asks for it, so a long list needs memory for
 * only one page.
 */
export type Pages<T> = AsyncIterable<readonly T[]>;

export interface PageById<Id> {
  /** The last id of the previous page. The record with this id may have been deleted since. */
  readonly after?: Id;
  readonly limit: number;
}

/** A number that was counted up to a limit. */
export interface Counted {
  readonly count: number;
  /** Whether more items exist than `count`. */
  readonly more: boolean;
}

/**
 * Returns the count up to `limit`, and whether there are more items. `number` must have been counted up to `limit + 1`.
 */
export function counted(number: number, limit: number): Counted {
  return { count: Math.min(number, limit), more: number > limit };
}

const PAGE_SIZE = 1000;

/**
 * Reads at most `limit` items, page by page when the caller asks for the next page. No page is empty. `read` is called
 * with the last item of the previous page. A page with fewer items than requested is the last page.
 */
export async function* inPages<Item>(
  read: (last: Item | undefined, size: number) => Promise<readonly Item[]>,
  { limit = Number.POSITIVE_INFINITY, pageSize = PAGE_SIZE } = {},
): AsyncGenerator<readonly Item[]> {
  let last: Item | undefined;
  for (let left = limit; left > 0; left -= pageSize) {
    const size = Math.min(left, pageSize);
    const page = await read(last, size);
    if (page.length > 0) yield page;
    if (page.length < size) return;
    last = page.at(-1);
  }
}

/** Reads all items of a list that is sorted by id, page by page. */
export function pagesById<Item extends { readonly id: unknown }>(
  list: (page: PageById<Item['id']>) => Promise<readonly Item[]>,
): Pages<Item> {
  return inPages((last, limit) => list(last === undefined ? { limit } : { after: last.id, limit }));
}
