/** Reads a whole list in pages of two. */
export async function pagesOf<Thing extends { readonly id: number }>(
  list: (page: { readonly after?: Thing['id']; readonly limit: number }) => Promise<readonly Thing[]>,
): Promise<readonly Thing[]> {
  const all: Thing[] = [];
  for (;;) {
    const last = all.at(-1);
    const page = await list({ limit: 2, ...(last && { after: last.id }) });
    if (page.length > 2) throw new Error('a page is longer than its limit');
    if (page.length === 0) return all;
    all.push(...page);
  }
}
