/** A list in pages, each read when it is requested, so that a long list needs no more memory than a page. */
export type Pages<T> = AsyncIterable<readonly T[]>;

export interface PageById<Id> {
  /** The last id of the previous page; it may have been deleted since. */
  readonly after?: Id;
  readonly limit: number;
}

const PAGE_SIZE = 1000;

/** Reads everything that `list` returns in order of id. No page is empty. */
export async function* pagesById<Thing extends { readonly id: unknown }>(
  list: (page: PageById<Thing['id']>) => Promise<readonly Thing[]>,
  limit = PAGE_SIZE,
): AsyncGenerator<readonly Thing[]> {
  let page = await list({ limit });
  while (page.length > 0) {
    yield page;
    const last = page.at(-1);
    page = last && page.length === limit ? await list({ after: last.id, limit }) : [];
  }
}
