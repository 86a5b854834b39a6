/** Reads all pages. */
export async function allPages<Page>(pages: AsyncIterable<Page>): Promise<readonly Page[]> {
  const all: Page[] = [];
  for await (const page of pages) all.push(page);
  return all;
}
