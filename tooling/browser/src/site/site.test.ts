import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { listPages, siteFaults } from '@gatehouse/site';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findViolations } from '../find-violations.ts';
import { newPage, type PageOptions } from '../new-page.ts';
import { BASE, type BuiltSite, builtSite } from './built-site.ts';

let site: BuiltSite;
beforeAll(async () => {
  site = await builtSite();
});
afterAll(() => site[Symbol.asyncDispose]());

/** In milliseconds, for a machine that others use, too. */
const STEP_MS = 15_000;

/** A page, and what it logs or asks of other hosts, which has to be nothing. */
async function open(path: string, options: PageOptions = {}) {
  const page = await newPage(options);
  const complaints: string[] = [];
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) complaints.push(message.text());
  });
  page.on('pageerror', (error) => complaints.push(error.message));
  page.on('request', (request) => {
    if (!request.url().startsWith(site.url)) complaints.push(request.url());
  });
  await page.goto(site.url + path);
  // Vue writes this once the page's scripts have run.
  await expect
    .poll(() => page.evaluate('document.querySelector("#app").__vue_app__ !== undefined'), {
      timeout: STEP_MS,
    })
    .toBe(true);
  return { page, complaints };
}

async function search(page: Page, words: string): Promise<void> {
  await page.keyboard.press('Control+k');
  await page.locator('.search-input').fill(words);
  await page.locator('.result').first().waitFor();
}

it('every link and anchor leads somewhere, and no file is of another host', () => {
  expect(siteFaults(site.folder, BASE)).toEqual([]);
});

it('every page and every file that a page links to is there', () => {
  const missing = [...listPages().values()]
    .map((place) => place.replace(/\.md$/, '.html'))
    .filter((place) => !existsSync(join(site.folder, place)));
  expect(missing).toEqual([]);
  expect(existsSync(join(site.folder, 'operate/alerts.yml'))).toBe(true);
});

it.each([
  ['MAX_STALENESS_MS', 'operate/settings.html#MAX_STALENESS_MS', 'Settings'],
  ['token create', 'administer/cli.html#token-create', 'The command line'],
  ['kubernetes', 'operate/kubernetes.html#gatehouse-on-kubernetes', 'Gatehouse on Kubernetes'],
])('a search for %s finds its place first and opens it', async (words, place, title) => {
  const { page, complaints } = await open('use/compatibility.html');
  await using _closed = page;
  await search(page, words);
  expect(await page.locator('.result').first().getAttribute('href')).toBe(BASE + place);
  await page.keyboard.press('Enter');
  await page.waitForURL(site.url + place);
  await page.locator('h1', { hasText: title }).waitFor();
  const [, anchor = ''] = place.split('#');
  await expect.poll(() => page.locator(`[id="${anchor}"]`).evaluate(isInWindow)).toBe(true);
  expect(complaints).toEqual([]);
});

const isInWindow = (element: { getBoundingClientRect(): { top: number; bottom: number } }): boolean => {
  const { top, bottom } = element.getBoundingClientRect();
  return top >= 0 && bottom <= 800;
};

describe.each(['light', 'dark'] as const)('in %s', (colorScheme) => {
  it.each([
    ['the home page', ''],
    ['a guide', 'operate/back-up.html'],
    ['the settings', 'operate/settings.html'],
    ['a decision', 'adr/0009-coherent-caches.html'],
  ])('%s has no violations, and no horizontal scroll at 320 pixels', async (_name, path) => {
    const { page, complaints } = await open(path, { colorScheme, width: 320 });
    await using _closed = page;
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(320);
    expect(await findViolations(page)).toEqual([]);
    expect(complaints).toEqual([]);
  });

  it('the search has no violations', async () => {
    const { page } = await open('', { colorScheme });
    await using _closed = page;
    await search(page, 'restore');
    expect(await findViolations(page)).toEqual([]);
  });

  it('the page has the theme of the system', async () => {
    const { page } = await open('', { colorScheme });
    await using _closed = page;
    const ground = await page.evaluate<string>('getComputedStyle(document.body).backgroundColor');
    expect(ground).toBe(colorScheme === 'dark' ? 'rgb(17, 22, 30)' : 'rgb(255, 255, 255)');
    const picture = await page
      .locator('picture img')
      .evaluate((image: { currentSrc: string }) => image.currentSrc);
    expect(picture).toContain(`-${colorScheme}.`);
  });
});

it('the list of pages is reached with the keyboard in a narrow window', async () => {
  const { page } = await open('operate/back-up.html', { width: 320 });
  await using _closed = page;
  await page.locator('.VPLocalNav button.menu').press('Enter');
  await page.locator('.VPSidebar.open').waitFor();
  await page.locator('.VPSidebar a', { hasText: 'Restore' }).press('Enter');
  await page.waitForURL(`${site.url}operate/restore.html`);
});

it('a setting that the search leads to has its meaning beside it in a narrow window', async () => {
  const { page } = await open('operate/settings.html#MAX_STALENESS_MS', { width: 320 });
  await using _closed = page;
  const meaning = page.locator('tr:has(code:target) td:nth-child(2)');
  const { x, width } = (await meaning.boundingBox()) ?? expect.fail();
  expect(x + width).toBeLessThanOrEqual(300);
  expect(width).toBeGreaterThanOrEqual(140);
});

it('a question is searched by its own words', async () => {
  const { page } = await open('use/compatibility.html');
  await using _closed = page;
  await search(page, 'change the port of the server');
  expect(await page.locator('.result').first().getAttribute('href')).toBe(
    `${BASE}operate/settings.html#PORT`,
  );
});

it('a missing page is answered with 404 and the ways to the others', async () => {
  const { page, complaints } = await open('missing.html');
  await using _closed = page;
  await page.locator('.VPNav a', { hasText: 'Operate' }).waitFor();
  expect((await fetch(`${site.url}missing.html`)).status).toBe(404);
  expect(complaints.filter((each) => !each.includes('404'))).toEqual([]);
});
