import { NAUGHTY_TEXTS } from '@gatehouse/server/testing/naughty-texts';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { newPage, signIn } from '../index.ts';
import { makeTokens } from './make-tokens.ts';
import { open, pathOf, worldOfTests } from './world-of-tests.ts';

const world = worldOfTests();

const namesOn = (page: Page) => page.locator('table tbody th a').allInnerTexts();

describe.each([{ javaScript: true }, { javaScript: false }])('with %o', (options) => {
  it('an admin searches, filters and pages through the tokens, and sends the address on', async () => {
    await using page = await newPage(options);
    await signIn(page, world(), world().acme.admin);
    const prefix = `Export ${options.javaScript ? 'with' : 'without'}`;
    await makeTokens(
      page,
      world(),
      Array.from({ length: 51 }, (_, index) => `${prefix} ${String(index).padStart(2, '0')}`),
    );
    await open(page, world(), '/settings/api');
    await page.getByLabel('Search').fill(prefix);
    await page.getByLabel('Order').selectOption({ label: 'Name' });
    await page.getByRole('button', { name: 'Apply' }).click();
    await page.waitForURL('**/settings/api?*');
    expect(await page.getByRole('main').textContent()).toContain('51 tokens match');
    const first = await namesOn(page);
    expect(first).toHaveLength(50);
    expect(first[0]).toBe(`${prefix} 00`);

    await page.getByRole('link', { name: 'Next page' }).click();
    await page.getByRole('link', { name: 'Previous page' }).waitFor();
    expect(await namesOn(page)).toEqual([`${prefix} 50`]);
    await using colleague = await newPage({ ...options, like: page });
    await open(colleague, world(), pathOf(page));
    expect(await namesOn(colleague)).toEqual([`${prefix} 50`]);
    await page.getByRole('link', { name: 'Previous page' }).click();
    await page.getByRole('link', { name: 'Next page' }).waitFor();
    expect(await namesOn(page)).toEqual(first);

    await page.getByText('Filters', { exact: true }).click();
    await page.getByLabel('Expires').selectOption('never');
    await page.getByRole('button', { name: 'Apply' }).click();
    await page.getByText('No token matches').waitFor();
    await page.getByRole('link', { name: 'Clear search and filters' }).first().click();
    await page.waitForURL('**/settings/api');
    await page.getByRole('link', { name: /^Ended/ }).click();
    await page.waitForURL('**section=ended**');
  });
});

it('a member is told who the admins are', async () => {
  await using page = await newPage();
  await signIn(page, world(), world().acme.member);
  await open(page, world(), '/settings/api');
  expect(await page.getByRole('main').textContent()).toContain(world().acme.admin.email);
  expect(await page.getByRole('link', { name: 'Create token' }).count()).toBe(0);
});

it('names that would be markup or scripts elsewhere are text on every page of their token', async () => {
  await using page = await newPage();
  const { url } = world();
  const alarms: string[] = [];
  page.on('dialog', (dialog) => {
    alarms.push(`dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  page.on('console', (message) => {
    if (message.type() === 'error') alarms.push(message.text());
  });
  page.on('pageerror', (error) => alarms.push(error.message));
  page.on('request', (request) => {
    if (new URL(request.url()).origin !== new URL(url).origin) alarms.push(`request: ${request.url()}`);
  });
  await signIn(page, world(), world().globex.admin);
  const made = await makeTokens(page, world(), NAUGHTY_TEXTS);
  await open(page, world(), '/settings/api');
  expect(await namesOn(page)).toHaveLength(made.length);
  expect(await page.locator('main img, main script, main svg[onload], main [onmouseover]').count()).toBe(0);
  for (const { id } of made) {
    await open(page, world(), `/settings/api/${id}`);
    expect(await page.locator('main script, main img').count()).toBe(0);
  }
  expect(alarms).toEqual([]);
});
