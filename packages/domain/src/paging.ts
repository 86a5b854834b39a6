/** A list in pages, each read when it is requested, so that a long list needs no more memory than a page. */
export type Pages<T> = AsyncIterable<readonly T[]>;

export interface PageById<Id> {
  /** The last id of the previous page; it may have been deleted since. */
  readonly after?: Id;
  readonly limit: number;
}

const PAGE_SIZE = 1000;

/**
 * Reads `limit` items at most, page after page as they are asked for; no page is empty. `read` gets the last item of
 * the page before, and a shorter page than it was asked for ends the list.
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

/** Reads everything that `list` returns by id. */
export function pagesById<Item extends { readonly id: unknown }>(
  list: (page: PageById<Item['id']>) => Promise<readonly Item[]>,
): Pages<Item> {
  return inPages((last, limit) => list(last === undefined ? { limit } : { after: last.id, limit }));
}
