import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { findTextFaults, findViolations, newPage } from '../index.ts';
import { open, sharedSessions, worldOfTests } from './world-of-tests.ts';

const world = worldOfTests();
const signedIn = sharedSessions(world);

const section = (page: Page, operation: string) => page.locator(`section#${operation}`);

async function aToken(name: string): Promise<string> {
  const options = ['--as', world().acme.admin.email, '--name', name, '--scope', 'me:read'];
  return (await world().command(['token', 'create', ...options])).trim();
}

it('the language of the examples is kept, and a button copies an example', async () => {
  await using page = await newPage();
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await open(page, world(), '/docs');
  await page.getByLabel('Go', { exact: true }).check();
  await page.reload();
  const shown = section(page, 'getMe').locator('.example:visible');
  expect(await shown.count()).toBe(1);
  expect(await shown.getAttribute('data-in')).toBe('Go');
  await shown.getByRole('button', { name: 'Copy' }).click();
  await shown.getByRole('button', { name: 'Copied' }).waitFor();
  expect(await page.evaluate('navigator.clipboard.readText()')).toBe(
    await shown.locator('pre').textContent(),
  );
});

it('the contents mark the section that is being read', async () => {
  await using page = await newPage();
  const marked = page.locator('.contents [aria-current]');
  for (const id of ['getMe', 'problems', 'versions']) {
    await open(page, world(), '/docs');
    await page.locator(`.contents a[href="#${id}"]`).click();
    await page.locator(`.contents a[href="#${id}"][aria-current]`).waitFor();
    expect(await marked.count()).toBe(1);
  }
});

it('a pasted token reads from this server, and is kept nowhere', async () => {
  const token = await aToken('For the reference');
  await using page = await signedIn(world().acme.admin);
  await open(page, world(), '/docs');
  const sent: { readonly url: string; readonly headers: Promise<Readonly<Record<string, string>>> }[] = [];
  page.on('request', (request) => sent.push({ url: request.url(), headers: request.allHeaders() }));
  const form = section(page, 'getMe').locator('form');
  await form.getByLabel('Token').fill(token);
  await form.getByRole('button', { name: 'Send request' }).click();
  await form.getByText('Response: 200 OK').waitFor();
  expect(await form.locator('pre').textContent()).toContain(world().acme.admin.email);

  expect(sent.map(({ url }) => url)).toEqual([`${world().url}/api/v1/me.json`]);
  const headers = await sent[0]?.headers;
  expect(headers).toMatchObject({ authorization: `Bearer ${token}` });
  expect(headers).not.toHaveProperty('cookie');
  const kept = await page.evaluate(
    'JSON.stringify([location.href, { ...localStorage }, { ...sessionStorage }])',
  );
  expect(kept).not.toContain(token);
  for (const width of [1280, 320]) {
    await page.setViewportSize({ width, height: 800 });
    expect([...(await findViolations(page)), ...(await findTextFaults(page))]).toEqual([]);
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(width);
  }
  // It serves the other forms of the page too.
  const other = section(page, 'getOrg').locator('form');
  expect(await other.getByLabel('Token').inputValue()).toBe(token);
  await other.getByLabel('id').fill('../me.json');
  await other.getByRole('button', { name: 'Send request' }).click();
  await other.getByText(/^Response: 40[0-9]/).waitFor();

  // Some browsers keep the page for the button Back, and send this event. The browser of the tests keeps none.
  await page.evaluate("dispatchEvent(new PageTransitionEvent('pagehide', { persisted: true }))");
  expect(await form.getByLabel('Token').inputValue()).toBe('');
  expect(await page.content()).not.toContain(token);

  await form.getByLabel('Token').fill(token);
  await open(page, world(), '/');
  await page.goBack();
  await form.getByRole('button', { name: 'Send request' }).waitFor();
  expect(await form.getByLabel('Token').inputValue()).toBe('');
  expect(await page.content()).not.toContain(token);
});

it('a token that is not accepted is shown as such, and one with spaces is not sent', async () => {
  await using page = await newPage();
  await open(page, world(), '/docs');
  const form = section(page, 'getMe').locator('form');
  const send = form.getByRole('button', { name: 'Send request' });
  await form.getByLabel('Token').fill('v4.public.unknown');
  await send.click();
  await form.getByText('Response: 401 Unauthorized').waitFor();
  expect(await form.locator('pre').textContent()).toContain('urn:gatehouse:problem:');
  await form.getByLabel('Token').fill('two words');
  await send.click();
  await form.getByText('A token has no spaces').first().waitFor();
});

it('without scripts, nothing is shown that needs one', async () => {
  await using page = await newPage({ javaScript: false });
  await open(page, world(), '/docs');
  expect(await page.getByRole('button', { name: 'Send request' }).count()).toBe(0);
  expect(await page.getByRole('button', { name: 'Copy' }).count()).toBe(0);
  expect(await section(page, 'getMe').locator('.example:visible').count()).toBeGreaterThan(3);
});
