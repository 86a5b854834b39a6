import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { newPage, signIn } from '../index.ts';
import { programWith, secretOn } from './tokens.ts';
import { open, sharedSessions, worldOfTests } from './world-of-tests.ts';

const world = worldOfTests();
const signedIn = sharedSessions(world);

/** Creates a token by the form, and returns the token that the page shows only this once. */
async function create(page: Page, name: string): Promise<string> {
  await open(page, world(), '/settings/api/new');
  await page.getByLabel('Name').fill(name);
  await page.getByLabel('me:read').check();
  await page.getByLabel('Expires').selectOption('30d');
  await page.getByRole('button', { name: 'Create token' }).click();
  await page.getByRole('heading', { level: 1, name: 'Token created' }).waitFor();
  return secretOn(page);
}

it('a token is created by the link of a manual', async () => {
  await using page = await signedIn(world().acme.admin);
  const query = new URLSearchParams({ name: 'From a manual', scope: 'me:read', expires_in: '45d' });
  await open(page, world(), `/settings/api/new?${query}`);
  expect(await page.getByLabel('Name').inputValue()).toBe('From a manual');
  expect(await page.getByLabel('me:read').isChecked()).toBe(true);
  expect(await page.getByLabel('Expires').inputValue()).toBe('45d');
  await page.getByRole('button', { name: 'Create token' }).click();
  expect((await programWith(world(), await secretOn(page)).me()).status).toBe(200);
});

it('a button copies the token', async () => {
  await using page = await signedIn(world().acme.admin);
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
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

it('the first use of a token, and a refusal before it, are shown while one watches', async () => {
  await using page = await signedIn(world().acme.admin);
  const secret = await create(page, 'Watched');
  const shown = page.locator('[data-first-use]');
  expect(await shown.textContent()).toMatch(/^Waiting/);
  expect((await programWith(world(), secret).getOrg(1)).status).toBe(403);
  await page.getByText(/^Refused/).waitFor();
  expect(await shown.textContent()).toContain('127.0.0.1');
  expect((await programWith(world(), secret).me()).status).toBe(200);
  await page.locator('[data-first-use][data-state="used"]').waitFor();
  expect(await shown.textContent()).toMatch(/^Used .*127\.0\.0\.1/);
  await page.getByRole('heading', { level: 1, name: 'Token created' }).waitFor();
});

it('a member is told who the admins are', async () => {
  await using page = await signedIn(world().acme.member);
  await open(page, world(), '/settings/api');
  expect(await page.getByRole('main').textContent()).toContain(world().acme.admin.email);
  expect(await page.getByRole('link', { name: 'Create token' }).count()).toBe(0);
});
