import type { Page, Response } from 'playwright-core';
import { expect } from 'vitest';
import { findTextFaults, findViolations, validateHtml, type World } from '../../index.ts';
import { goAround } from '../keyboard.ts';
import { untoldTimes, wrongLabels } from '../said-by-style.ts';
import type { State } from './state.ts';

/** The maximum size in bytes, uncompressed, with style and scripts. */
const MAX_PAGE_SIZE = 40_000;

const WIDE = 1280;
const NARROW = 320;

/** Opens a page in a state, and returns what the server sent. */
export async function reach<W extends Pick<World, 'url'>, M>(
  page: Page,
  world: W,
  { path, before, earlier, from, send }: State<W, M>,
  made: M,
): Promise<Response> {
  await before?.(world);
  const shown = await page.goto(new URL(path(made), world.url).href);
  await earlier?.(page, world);
  const isLooked = (response: Response) =>
    response.request().isNavigationRequest() &&
    (from === undefined || new URL(response.url()).pathname.startsWith(from));
  const sent = send && page.waitForResponse(isLooked);
  await send?.(page, world);
  const response = (await sent) ?? shown;
  if (!response) throw new Error('there is no response');
  // The answer arrives before the browser leaves the page that led to it.
  if (from !== undefined) await page.waitForURL(response.url());
  await page.waitForLoadState();
  return response;
}

const sizes = new Map<string, number>();

/** The size of the document and of everything that it loads, in bytes. */
async function sizeOf(page: Page, document: string): Promise<number> {
  let size = Buffer.byteLength(document);
  for (const [, path = ''] of document.matchAll(/(?:href|src)="(\/assets\/[^"]+)"/g)) {
    const known =
      sizes.get(path) ?? (await (await page.request.get(new URL(path, page.url()).href)).body()).length;
    sizes.set(path, known);
    size += known;
  }
  return size;
}

/** The faults that a page may not have in any state. */
async function findFaults(page: Page, width: number): Promise<readonly string[]> {
  const widest: number = await page.evaluate('document.documentElement.scrollWidth');
  const faults = [...(await findViolations(page)), ...(await findTextFaults(page))];
  return [...faults, ...(widest > width ? [`is ${widest} pixels wide`] : [])];
}

/** Expects that the page is as it has to be, wide and narrow, light and dark, and by the Tab key. */
export async function expectGoodPage(
  page: Page,
  response: Response,
  state: Pick<State, 'status' | 'maxSize'>,
): Promise<void> {
  const { status = 200, maxSize = MAX_PAGE_SIZE } = state;
  expect(response.status()).toBe(status);
  expect(await findFaults(page, WIDE)).toEqual([]);
  expect(await page.locator('h1').count()).toBe(1);
  expect(await untoldTimes(page)).toEqual([]);
  const refused = page.locator('[aria-invalid="true"]').first();
  if ((await refused.count()) > 0) expect(await refused.and(page.locator(':focus')).count()).toBe(1);
  const document = await response.text();
  expect(await validateHtml(document)).toEqual([]);
  expect(await sizeOf(page, document)).toBeLessThanOrEqual(maxSize);
  expect(await goAround(page)).toEqual([]);

  // Only the stylesheet depends on widths and colours.
  await page.setViewportSize({ width: NARROW, height: 800 });
  await page.emulateMedia({ colorScheme: 'dark' });
  expect(await findFaults(page, NARROW)).toEqual([]);
  expect(await wrongLabels(page)).toEqual([]);
}
