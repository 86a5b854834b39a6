import type { Page, Response } from 'playwright-core';
import { beforeAll, expect, it } from 'vitest';
import { findTextFaults, findViolations, newPage, type Person, validateHtml } from '../index.ts';
import { makeBelievableTokens } from '../pictures/believable-tokens.ts';
import { copyToken } from './copy-token.ts';
import { forgetPassword } from './forget-password.ts';
import { makeToken } from './form-requests.ts';
import { goAround } from './keyboard.ts';
import { untoldTimes, wrongLabels } from './said-by-style.ts';
import { sharedSessions, worldOfTests } from './world-of-tests.ts';

/** The maximum size in bytes, uncompressed, with style and scripts. */
const MAX_PAGE_SIZE = 40_000;
/** The same for the reference, which has the whole API on one page. */
const MAX_REFERENCE_SIZE = 160_000;

const WIDE = 1280;
const NARROW = 320;

const world = worldOfTests();
const signedIn = sharedSessions(world);

const LONG = `${'Long '.repeat(19)}${'w'.repeat(100)}`;

/** An admin of another account, whose only token was revoked. */
const RETURNING: Person = { email: 'ivy@initech.example', password: 'the phrase of Ivy' };

type Who = 'visitor' | 'admin' | 'member' | 'beginner' | 'returning';

interface Tokens {
  /** With a long name. */
  readonly long: string;
  /** Used, and refused from several addresses. */
  readonly used: string;
}

interface State {
  readonly name: string;
  readonly who: Who;
  readonly path: (tokens: Tokens) => string;
  readonly status?: number;
  readonly maxSize?: number;
  /** Prepares the state before the page is opened. */
  readonly before?: () => Promise<void>;
  /** Sends a form of the page, and returns how the server answers. */
  readonly send?: (page: Page) => Promise<void>;
}

/** Sends the form of this button unchanged, without the browser's own checks. */
async function press(page: Page, button: string): Promise<void> {
  await page.evaluate('for (const form of document.forms) form.noValidate = true');
  await page.getByRole('button', { name: button }).first().click();
}

const at = (path: string) => () => path;

const STATES: readonly State[] = [
  { name: 'start', who: 'visitor', path: at('/') },
  { name: 'start, to an admin', who: 'admin', path: at('/') },
  { name: 'start, to a member', who: 'member', path: at('/') },
  { name: 'reference, to an admin', who: 'admin', path: at('/docs'), maxSize: MAX_REFERENCE_SIZE },
  { name: 'an address of nothing', who: 'visitor', path: at('/settings/nothing'), status: 404 },
  { name: 'an address of nothing, to an admin', who: 'admin', path: at('/nothing'), status: 404 },
  { name: 'sign-in', who: 'visitor', path: at('/sign-in') },
  {
    name: 'sign-in, refused',
    who: 'visitor',
    path: at('/sign-in'),
    status: 401,
    send: (page) => press(page, 'Sign in'),
  },
  { name: 'password', who: 'member', path: at('/settings/password') },
  {
    name: 'password, refused',
    who: 'member',
    path: at('/settings/password'),
    status: 422,
    send: (page) => press(page, 'Change password'),
  },
  {
    name: 'a form that is sent after the session’s end',
    who: 'member',
    path: at('/settings/password'),
    status: 401,
    async send(page) {
      await page.context().clearCookies();
      await press(page, 'Change password');
    },
  },
  { name: 'no tokens', who: 'beginner', path: at('/settings/api') },
  { name: 'tokens', who: 'admin', path: at('/settings/api') },
  {
    name: 'tokens, filtered to one with a long name',
    who: 'admin',
    path: at('/settings/api?search=Long&scope=me:read&expires=30d&state=unknown'),
  },
  { name: 'tokens, none of which match', who: 'admin', path: at('/settings/api?search=nothing') },
  { name: 'tokens, none of which is active', who: 'returning', path: at('/settings/api') },
  {
    name: 'new token, with the password',
    who: 'returning',
    path: at('/settings/api/new'),
    before: () => forgetPassword(world(), RETURNING),
  },
  { name: 'ended tokens', who: 'admin', path: at('/settings/api?section=ended') },
  { name: 'tokens, to a member', who: 'member', path: at('/settings/api') },
  { name: 'new token', who: 'admin', path: at('/settings/api/new') },
  {
    name: 'new token, from a link in part wrong',
    who: 'admin',
    path: at('/settings/api/new?name=ERP&scope=orgs:read&scope=unknown&expires_in=45d'),
  },
  {
    name: 'new token, refused',
    who: 'admin',
    path: at('/settings/api/new'),
    status: 422,
    send: (page) => press(page, 'Create token'),
  },
  {
    name: 'created token',
    who: 'beginner',
    path: at('/settings/api/new?scope=me:read'),
    status: 200,
    async send(page) {
      await page.getByLabel('Name').fill(`${LONG.slice(0, 180)} ${Date.now()}`);
      await press(page, 'Create token');
    },
  },
  { name: 'new token, to a member', who: 'member', path: at('/settings/api/new'), status: 403 },
  { name: 'token', who: 'admin', path: ({ long }) => `/settings/api/${long}` },
  { name: 'token with a past', who: 'admin', path: ({ used }) => `/settings/api/${used}` },
  { name: 'revoke', who: 'admin', path: ({ long }) => `/settings/api/${long}/revoke` },
  { name: 'rotate', who: 'admin', path: ({ long }) => `/settings/api/${long}/rotate` },
  {
    name: 'rotated token',
    who: 'admin',
    path: ({ long }) => `/settings/api/${long}/rotate`,
    send: (page) => press(page, 'Rotate token'),
  },
  {
    name: 'nothing here',
    who: 'admin',
    path: at('/settings/api/00000000-0000-7000-8000-000000000000/revoke'),
    status: 404,
  },
  { name: 'activity', who: 'admin', path: at('/settings/api/activity') },
  { name: 'activity, to a member', who: 'member', path: at('/settings/api/activity'), status: 403 },
  { name: 'sessions', who: 'admin', path: at('/settings/sessions') },
];

const people = (): Readonly<Record<Exclude<Who, 'visitor'>, Person>> => ({
  admin: world().acme.admin,
  member: world().acme.member,
  beginner: world().globex.admin,
  returning: RETURNING,
});

let tokens: Tokens | undefined;

beforeAll(async () => {
  await using page = await signedIn(people().admin);
  const { id } = await makeToken(page, world(), LONG);
  const others = Array.from({ length: 60 }, (_, index) => `Warehouse stock export ${index + 1}`);
  await copyToken(world(), id, others);
  const idOf = await makeBelievableTokens(world());
  tokens = { long: id, used: idOf('Door badges') };
  // This is done as an operator, so the activity of Acme has an event of an operator.
  await world().command(['token', 'revoke', idOf('Old wiki'), '--yes', '--as', people().admin.email]);
  await addReturning();
}, 180_000);

async function addReturning(): Promise<void> {
  const { command } = world();
  const { email, password } = RETURNING;
  const account = JSON.parse(await command(['account', 'create', '--name', 'Initech', '--json']));
  const options = ['--account', `${account.id}`, '--email', email, '--name', 'Ivy', '--role', 'admin'];
  await command(['user', 'create', ...options, '--password-stdin'], `${password}\n`);
  const made = JSON.parse(await command(['token', 'create', '--as', email, '--name', 'ERP', '--json']));
  await command(['token', 'revoke', made.id, '--yes', '--as', email]);
}

/** Opens a page in a state, and returns what the server sent. */
async function reach(page: Page, { path, before, send }: State): Promise<Response> {
  if (tokens === undefined) throw new Error('no token was made');
  await before?.();
  const shown = await page.goto(new URL(path(tokens), world().url).href);
  const sent = send && page.waitForResponse((response) => response.request().isNavigationRequest());
  await send?.(page);
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
