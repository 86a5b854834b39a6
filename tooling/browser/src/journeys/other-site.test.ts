import { expect, it } from 'vitest';
import { newPage } from '../index.ts';
import { worldOfTests } from './world-of-tests.ts';

const world = worldOfTests();

/** Pages of other sites: under another name of the machine, and without an origin. */
const OTHER_SITES = {
  'a page of another host': '',
  'a page that hides where it is': '<meta name="referrer" content="no-referrer">',
};

it.each(Object.entries(OTHER_SITES))('a sign-in that %s makes a browser send is refused', async (_, head) => {
  await using page = await newPage();
  const { url, acme } = world();
  const { email, password } = acme.admin;
  const form = `<!doctype html><title>Other</title>${head}<form method="post" action="${url}/api/v1/auth.json">
<input name="email" value="${email}"><input name="password" value="wrong"><button>Go</button></form>`;
  const other = `http://other.localhost:${new URL(url).port}/`;
  await page.route(other, (route) => route.fulfill({ contentType: 'text/html', body: form }));
  for (let attempt = 0; attempt < 3; attempt += 1) {
    await page.goto(other);
    const answered = page.waitForResponse(`${url}/api/v1/auth.json`);
    await page.click('button');
    const response = await answered;
    expect(response.status()).toBe(400);
    expect(await response.json()).toMatchObject({ type: 'urn:gatehouse:problem:cross-site-request' });
  }
  await page.goto(`${url}/openapi.json`);
  const own = await page.evaluate(`fetch('/api/v1/auth.json', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: ${JSON.stringify(JSON.stringify({ email, password }))},
  }).then(({ status }) => status)`);
  expect(own).toBe(200);
});
