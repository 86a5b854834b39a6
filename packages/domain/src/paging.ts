/** A list in pages that are read as they are asked for, so that no length of it takes more memory. */
export type Pages<T> = AsyncIterable<readonly T[]>;

export interface PageById<Id> {
  /** The id of the last thing of the page before. It need not be there any more. */
  readonly after?: Id;
  readonly limit: number;
}

const PAGE_SIZE = 1000;

/** All that `list` gives out by id, page after page; none of them is empty. */
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
