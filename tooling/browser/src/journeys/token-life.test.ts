import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { newPage, signIn } from '../index.ts';
import { open, tabTo, worldOfTests } from './world-of-tests.ts';

const world = worldOfTests();

/** Asks the API as a program does that has the token. */
async function use(secret: string): Promise<number> {
  const headers = { authorization: `Bearer ${secret}` };
  return (await fetch(new URL('/api/v1/me.json', world().url), { headers })).status;
}

const secretOn = async (page: Page) => (await page.locator('[data-token]').textContent())?.trim() ?? '';

/** Creates a token by the form and returns what the page shows this once. */
async function create(page: Page, name: string): Promise<string> {
  await open(page, world(), '/settings/api/new');
  await page.getByLabel('Name').fill(name);
  await page.getByLabel('me:read').check();
  await page.getByLabel('Expires').selectOption('30d');
  await page.getByRole('button', { name: 'Create token' }).click();
  await page.getByRole('heading', { level: 1, name: 'Token created' }).waitFor();
  return secretOn(page);
}

const pathOfToken = async (page: Page) => {
  const href = await page.getByRole('link', { name: 'See the token' }).getAttribute('href');
  return href ?? '';
};

describe.each([{ javaScript: true }, { javaScript: false }])('with %o', (options) => {
  it('a token is created by the link of a manual, rotated and revoked', async () => {
    await using page = await newPage(options);
    await signIn(page, world(), world().acme.admin);
    const name = options.javaScript ? 'ERP with scripts' : 'ERP without scripts';
    const query = new URLSearchParams({ name, scope: 'me:read', expires_in: '45d' });
    await open(page, world(), `/settings/api/new?${query}`);
    expect(await page.getByLabel('Name').inputValue()).toBe(name);
    expect(await page.getByLabel('me:read').isChecked()).toBe(true);
    expect(await page.getByLabel('Expires').inputValue()).toBe('45d');
    await page.getByRole('button', { name: 'Create token' }).click();
    const secret = await secretOn(page);
    const path = await pathOfToken(page);
    expect(await use(secret)).toBe(200);

    // Both tokens work while programs change over.
    await open(page, world(), `${path}/rotate`);
    await page.getByRole('button', { name: 'Rotate token' }).click();
    const successor = await secretOn(page);
    expect(successor).not.toBe(secret);
    expect(await use(successor)).toBe(200);
    expect(await use(secret)).toBe(200);

    await open(page, world(), `${path}/revoke`);
    await page.getByLabel('Reason').fill('seen in a log');
    await page.getByRole('button', { name: 'Revoke token' }).click();
    await page.waitForURL(`**${path}`);
    expect(await use(secret)).toBe(401);
    expect(await use(successor)).toBe(200);
    await open(page, world(), `${path}/revoke`);
    expect(await page.getByRole('main').textContent()).toMatch(/was revoked by you.*seen in a log/s);
    expect(await page.getByRole('button', { name: 'Revoke token' }).count()).toBe(0);
  });
});

it('a token is created by the keyboard alone', async () => {
  await using page = await newPage();
  await signIn(page, world(), world().acme.admin);
  await open(page, world(), '/settings/api');
  await tabTo(page, page.getByRole('link', { name: 'Create token' }).first());
  await page.keyboard.press('Enter');
  await page.waitForURL('**/settings/api/new');
  await tabTo(page, page.getByLabel('Name'));
  await page.keyboard.type('By keyboard');
  await tabTo(page, page.getByLabel('me:read'));
  await page.keyboard.press('Space');
  await tabTo(page, page.getByRole('button', { name: 'Create token' }));
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { level: 1, name: 'Token created' }).waitFor();
});

it('a button copies the token', async () => {
  await using page = await newPage();
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await signIn(page, world(), world().acme.admin);
  const secret = await create(page, 'To copy');
  await page.getByRole('button', { name: 'Copy token' }).click();
  await page.getByRole('button', { name: 'Copied' }).waitFor();
  expect(await page.evaluate('navigator.clipboard.readText()')).toBe(secret);
});

it('a session that ends in the middle of a form loses nothing that was typed', async () => {
  await using page = await newPage();
  await signIn(page, world(), world().acme.admin);
  await open(page, world(), '/settings/api/new');
  await page.getByLabel('Name').fill('Typed before the end');
  await page.getByLabel('me:read').check();
  await using elsewhere = await newPage({ like: page });
  await open(elsewhere, world(), '/settings/password');
  await elsewhere.getByRole('button', { name: 'Sign out' }).click();
  await elsewhere.getByText('You are signed out.').waitFor();

  await page.getByRole('button', { name: 'Create token' }).click();
  await page.getByText('Your session has ended.').waitFor();
  const { email, password } = world().acme.admin;
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password').fill(password);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('heading', { level: 1, name: 'New API token' }).waitFor();
  expect(await page.getByLabel('Name').inputValue()).toBe('Typed before the end');
  expect(await page.getByLabel('me:read').isChecked()).toBe(true);
  await page.getByRole('button', { name: 'Create token' }).click();
  await page.getByRole('heading', { level: 1, name: 'Token created' }).waitFor();
});

it.each([{ javaScript: true }, { javaScript: false }])(
  'with %o, a token’s page tells of its uses, and renames and shortens it',
  async (options) => {
    await using page = await newPage(options);
    await signIn(page, world(), world().globex.admin);
    const name = `Billing ${options.javaScript}`;
    const secret = await create(page, name);
    const path = await pathOfToken(page);
    expect(await use(secret)).toBe(200);
    await expect
      .poll(
        async () => {
          await open(page, world(), path);
          return page.getByRole('main').textContent();
        },
        { timeout: 15_000 },
      )
      .toContain('127.0.0.1');

    await page.getByLabel('Name').fill(`${name} again`);
    await page.getByRole('button', { name: 'Rename' }).click();
    await page.getByRole('heading', { level: 1, name: `${name} again` }).waitFor();
    const inTwoDays = new Date(Date.now() + 2 * 86_400_000).toISOString().slice(0, 10);
    await page.getByLabel('Last day').fill(inTwoDays);
    await page.getByRole('button', { name: 'End it then' }).click();
    await page.getByRole('status').waitFor();
    expect(await page.getByRole('main').textContent()).toMatch(/in [23] days/);

    await open(page, world(), '/settings/api/activity');
    expect(await page.getByRole('main').textContent()).toContain(`${name} again`);
  },
);

it('the first use of a token, and a refusal before it, are shown while one watches', async () => {
  await using page = await newPage();
  await signIn(page, world(), world().acme.admin);
  const secret = await create(page, 'Watched');
  const shown = page.locator('[data-first-use]');
  expect(await shown.textContent()).toMatch(/^Waiting/);
  const headers = { authorization: `Bearer ${secret}` };
  const refused = await fetch(new URL('/api/v1/orgs/1', world().url), { headers });
  expect(refused.status).toBe(403);
  await page.getByText(/^Refused/).waitFor();
  expect(await shown.textContent()).toContain('127.0.0.1');
  expect(await use(secret)).toBe(200);
  await page.locator('[data-first-use][data-state="used"]').waitFor();
  expect(await shown.textContent()).toMatch(/^Used .*127\.0\.0\.1/);
  await page.getByRole('heading', { level: 1, name: 'Token created' }).waitFor();
});
