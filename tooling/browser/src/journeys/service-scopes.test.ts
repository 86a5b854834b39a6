import { serveServices } from '@gatehouse/pages/testing/serve-services';
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { findTextFaults, findViolations, newPage, signIn, validateHtml } from '../index.ts';
import { goAround, tabTo } from './keyboard.ts';
import { untoldTimes } from './said-by-style.ts';

const ADA = { email: 'ada@acme.example', password: 'correct horse battery' };

/** The longest name that a service can have. */
const LONG_NAME = 'warehouses-of-the-north-and-of-the-south';
const LONG_WORD = 'w'.repeat(120);

const NAMES = [
  'read',
  'write',
  'cancel',
  'stock.move',
  'stock.count',
  'label_print',
  'a',
  'b',
  'c',
  'd',
  'e',
];

/** Serves pages in memory, because a service with many scopes is made faster there than by commands. */
async function serveLongServices() {
  const scene = await serveServices();
  const words = [...NAMES, '9'.padStart(40, 'x')].map((action, index) => [
    `${LONG_NAME}:${action}`,
    { label: index === 2 ? LONG_WORD : `Label ${index}`, allows: index === 3 ? LONG_WORD : 'Some things.' },
  ]);
  const scopes: Record<`${string}:${string}`, { label: string; allows: string }> = Object.fromEntries(words);
  await scene.service(LONG_NAME, { description: `Several lines.\n${LONG_WORD}`, scopes });
  const token = await scene.issue('Shop', ['*', 'orders:*', ...Object.keys(scopes)]);
  await scene.usedAt(LONG_NAME, token, '2001:db8:85a3:8d3:1319:8a2e:370:7348');
  await scene.remove(`${LONG_NAME}:read`);
  return { ...scene, paths: pathsOf(token.id) };
}

const pathsOf = (id: string) => [
  '/settings/api/new?scope=orders:read',
  '/settings/api',
  `/settings/api/${id}`,
  `/settings/api/${id}/rotate`,
];

async function faultsOf(page: Page, width: number): Promise<readonly string[]> {
  const widest: number = await page.evaluate('document.documentElement.scrollWidth');
  const faults = [...(await findViolations(page)), ...(await findTextFaults(page))];
  return [...faults, ...(widest > width ? [`is ${widest} pixels wide`] : [])];
}

it('pages with scopes of services can be read and used, wide and narrow, light and dark, and by the Tab key', async () => {
  await using scene = await serveLongServices();
  await using page = await newPage();
  await signIn(page, scene, ADA);
  for (const path of scene.paths) {
    await page.setViewportSize({ width: 1280, height: 800 });
    await page.emulateMedia({ colorScheme: 'light' });
    const response = await page.goto(new URL(path, scene.url).href);
    expect(await validateHtml((await response?.text()) ?? ''), path).toEqual([]);
    expect(await untoldTimes(page), path).toEqual([]);
    expect(await faultsOf(page, 1280), path).toEqual([]);
    expect(await goAround(page), path).toEqual([]);
    await page.setViewportSize({ width: 320, height: 800 });
    await page.emulateMedia({ colorScheme: 'dark' });
    expect(await faultsOf(page, 320), path).toEqual([]);
  }
});

it('a scope of a service is found by its group, and chosen by the keyboard alone', async () => {
  await using scene = await serveLongServices();
  await using page = await newPage();
  await signIn(page, scene, ADA);
  await page.goto(new URL('/settings/api/new', scene.url).href);
  await page.keyboard.type('Nightly');
  const orders = page.getByRole('group', { name: 'Service orders' });
  const box = orders.getByRole('checkbox', { name: 'Read orders' });
  await tabTo(page, box);
  await page.keyboard.press('Space');
  expect(await box.isChecked()).toBe(true);
  await page.keyboard.press('Enter');
  await page.locator('[data-token]').waitFor();
  expect(await page.locator('.facts').textContent()).toContain('Read orders');
});
