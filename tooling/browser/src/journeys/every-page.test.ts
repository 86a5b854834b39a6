import type { Page, Response } from 'playwright-core';
import { beforeAll, expect, it } from 'vitest';
import { findTextFaults, findViolations, newPage, type Person, validateHtml } from '../index.ts';
import { ACTIVITY_STATES } from './every-page/activity-states.ts';
import { LINK_STATES } from './every-page/link-states.ts';
import { makeAll } from './every-page/made.ts';
import { ORGANIZATION_STATES } from './every-page/organization-states.ts';
import { OWN_STATES } from './every-page/own-states.ts';
import { SECOND_FACTOR_STATES } from './every-page/second-factor-states.ts';
import { SERVICE_ACCOUNT_STATES } from './every-page/service-account-states.ts';
import { type Made, RETURNING, STRICT, type State, type Who } from './every-page/state.ts';
import { TOKEN_STATES } from './every-page/token-states.ts';
import { USER_STATES } from './every-page/user-states.ts';
import { goAround } from './keyboard.ts';
import { untoldTimes, wrongLabels } from './said-by-style.ts';
import { sharedSessions, worldOfTests } from './world-of-tests.ts';

/** The maximum size in bytes, uncompressed, with style and scripts. */
const MAX_PAGE_SIZE = 40_000;

const WIDE = 1280;
const NARROW = 320;

const world = worldOfTests();
const signedIn = sharedSessions(world);

const STATES = [
  ...OWN_STATES,
  ...TOKEN_STATES,
  ...USER_STATES,
  ...SECOND_FACTOR_STATES,
  ...SERVICE_ACCOUNT_STATES,
  ...LINK_STATES,
  ...ACTIVITY_STATES,
  ...ORGANIZATION_STATES,
];

const people = (): Readonly<Record<Exclude<Who, 'visitor'>, Person>> => ({
  admin: world().acme.admin,
  member: world().acme.member,
  beginner: world().globex.admin,
  returning: RETURNING,
  strict: STRICT,
});

let made: Made | undefined;

beforeAll(async () => {
  await using page = await signedIn(people().admin);
  made = await makeAll(world(), page);
}, 180_000);

/** Opens a page in a state, and returns what the server sent. */
async function reach(page: Page, { path, before, earlier, send }: State): Promise<Response> {
  if (made === undefined) throw new Error('no token was made');
  await before?.(world());
  const shown = await page.goto(new URL(path(made), world().url).href);
  await earlier?.(page, world());
  const sent = send && page.waitForResponse((response) => response.request().isNavigationRequest());
  await send?.(page, world());
  const response = (await sent) ?? shown;
  if (!response) throw new Error('there is no response');
  await page.waitForLoadState();
  return response;
}

const sizes = new Map<string, number>();

/** The size of the document and of everything that it loads, in bytes. */
async function sizeOf(page: Page, document: string): Promise<number> {
  let size = Buffer.byteLength(document);
  for (const [, path = ''] of document.matchAll(/(?:href|src)="(\/assets\/[^"]+)"/g)) {
    const known = sizes.get(path) ?? (await (await page.request.get(world().url + path)).body()).length;
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

it.each(STATES)(
  '$name: is as it has to be, wide and narrow, light and dark, and by the Tab key',
  async (state) => {
    const { who, status = 200, maxSize = MAX_PAGE_SIZE } = state;
    await using page = who === 'visitor' ? await newPage() : await signedIn(people()[who]);
    const response = await reach(page, state);
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
  },
);
