import { expect, test } from 'vitest';
import { serveCompany } from '../testing/serve-company.ts';

/** In bytes, uncompressed, with style and scripts. A search by an address also shows the addresses that it found. */
const MAX_PAGE_SIZE = 44_000;

test.each([
  '/settings/api',
  '/settings/api?order=most_recently_used',
  '/settings/api?order=expiry',
  '/settings/api?search=2001:db8:&order=most_recently_used',
  '/settings/api/activity',
])('%s with all its 50 rows is below 44 kB with its style', async (path) => {
  await using scene = await serveCompany();
  const page = await (await scene.signedIn()).get(path);
  expect(page.html.match(/<th scope="row">/g)).toHaveLength(50);
  let size = Buffer.byteLength(page.html);
  for (const [, asset = ''] of page.html.matchAll(/(?:href|src)="(\/assets\/[^"]+)"/g)) {
    size += Buffer.byteLength((await scene.visitor().ask(asset)).text);
  }
  expect(size).toBeLessThan(MAX_PAGE_SIZE);
});
