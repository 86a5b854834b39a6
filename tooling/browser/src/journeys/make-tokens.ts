import type { Page } from 'playwright-core';
import type { World } from '../index.ts';

export interface MadeToken {
  readonly id: string;
  readonly name: string;
  readonly secret: string;
}

const HIDDEN = /<input type="hidden" name="([^"]+)" value="([^"]*)">/g;

const FORM = '/settings/api/new';

/** Makes tokens as the form does, without showing it: many are made in a second. The page is signed in as their owner. */
export async function makeTokens(
  page: Page,
  { url }: Pick<World, 'url'>,
  names: readonly string[],
): Promise<readonly MadeToken[]> {
  const { origin } = new URL(url);
  const made: MadeToken[] = [];
  for (const name of names) {
    const shown = await (await page.request.get(origin + FORM)).text();
    const main = shown.slice(shown.indexOf('<main'));
    const hidden = Object.fromEntries(
      [...main.matchAll(HIDDEN)].map(([, field = '', value = '']) => [field, value]),
    );
    const response = await page.request.post(origin + FORM, {
      headers: { origin },
      form: { ...hidden, name, scopes: 'me:read', expires: '30d', date: '', format: 'paseto' },
    });
    const text = await response.text();
    const secret = /data-token>([^<]+)</.exec(text)?.[1];
    const id = /\/settings\/api\/([0-9a-f-]{36})"/.exec(text)?.[1];
    if (secret === undefined || id === undefined) {
      throw new Error(`the token ${JSON.stringify(name)} was not made (${response.status()})`);
    }
    made.push({ id, name, secret });
  }
  return made;
}
