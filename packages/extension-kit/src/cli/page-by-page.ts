import { inPages, type Pages, type Result } from '@gatehouse/domain';

/** A page after the first was refused, for example because the organization was deleted in the meantime. */
export class PageRefused extends Error {
  override readonly name = 'PageRefused';
  readonly error: { readonly code: string };

  constructor(error: { readonly code: string }) {
    super(error.code);
    this.error = error;
  }
}

const PAGE_SIZE = 1000;

/**
 * Lists all items of a use case that returns them in pages. `read` is passed the last item of the previous page. If the
 * first page is refused, the whole list is refused. If a later page is refused, iterating over the pages throws
 * `PageRefused`.
 */
export async function pageByPage<Item, E extends { readonly code: string }>(
  read: (last: Item | undefined, limit: number) => Promise<Result<readonly Item[], E>>,
): Promise<Result<Pages<Item>, E>> {
  const first = await read(undefined, PAGE_SIZE);
  if (!first.ok) return first;
  const pages = inPages<Item>(
    async (last, limit) => {
      const page = last === undefined ? first : await read(last, limit);
      if (!page.ok) throw new PageRefused(page.error);
      return page.value;
    },
    { pageSize: PAGE_SIZE },
  );
  return { ok: true, value: pages };
}
