import type { APIResponse, Page } from 'playwright-core';
import type { Person, World } from '../index.ts';

type Site = Pick<World, 'url'>;

const HIDDEN = /<input type="hidden" name="([^"]+)" value="([^"]*)">/g;

/**
 * Sends the form of a page as the browser does, without showing the page: it takes milliseconds. The cookies are those of
 * `page`.
 */
export async function sendForm(
  page: Page,
  { url }: Site,
  path: string,
  typed: Readonly<Record<string, string>>,
): Promise<APIResponse> {
  const { origin } = new URL(url);
  const shown = await text(page, origin + path);
  const main = shown.slice(shown.indexOf('<main'));
  const hidden = [...main.matchAll(HIDDEN)].map(([, name = '', value = '']) => [name, value]);
  return await page.request.post(origin + path, {
    headers: { origin },
    form: { ...Object.fromEntries(hidden), ...typed },
  });
}

/** How often a page is requested if a busy server refuses it with 503. */
const MAX_TRIES = 20;

async function text(page: Page, url: string): Promise<string> {
  for (let tries = 1; ; tries += 1) {
    const response = await page.request.get(url);
    if (response.ok()) return await response.text();
    if (response.status() !== 503 || tries === MAX_TRIES)
      throw new Error(`${url} has no form: ${response.status()}`);
  }
}

/** Signs a person in, for tests that are not about signing in. */
export async function enter(page: Page, site: Site, { email, password }: Person): Promise<void> {
  const response = await sendForm(page, site, '/sign-in', { email, password });
  if (response.url().includes('/sign-in')) throw new Error(`${email} is not signed in: ${response.status()}`);
}

export interface MadeToken {
  readonly id: string;
  readonly name: string;
  readonly secret: string;
}

export async function makeToken(page: Page, site: Site, name: string): Promise<MadeToken> {
  const typed = { name, scopes: 'me:read', expires: '30d', date: '', format: 'paseto' };
  const response = await sendForm(page, site, '/settings/api/new', typed);
  const text = await response.text();
  const secret = /data-token>([^<]+)</.exec(text)?.[1];
  const id = /\/settings\/api\/([0-9a-f-]{36})"/.exec(text)?.[1];
  if (secret === undefined || id === undefined) {
    throw new Error(`the token ${JSON.stringify(name)} was not made (${response.status()})`);
  }
  return { id, name, secret };
}
