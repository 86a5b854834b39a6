import { NAUGHTY_STRINGS, NAUGHTY_TEXTS, shownText } from '@gatehouse/pages/testing/naughty-texts';
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { newPage } from '../index.ts';
import { copyToken } from './copy-token.ts';
import { enter, makeToken } from './form-requests.ts';
import { namesOn, pathsOn } from './tokens.ts';
import { open, worldOfTests } from './world-of-tests.ts';

const world = worldOfTests();

/**
 * Records events that never occur on our pages: a dialog, an error of a script or the policy, a request to another
 * host.
 */
function recordAlarms(page: Page, origin: string): readonly string[] {
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
    if (new URL(request.url()).origin !== origin) alarms.push(`request: ${request.url()}`);
  });
  return alarms;
}

/** Every text that a form accepts as a token's name; it trims them. */
const NAMES = [...new Set([...NAUGHTY_TEXTS, ...NAUGHTY_STRINGS].map((text) => text.trim()))].filter(
  (text) => text.length >= 1 && text.length <= 200 && !/[\p{Cc}\u2028\u2029]/u.test(text),
);

const HOSTILE = 'main img, main script, main iframe, main svg[onload], main [onmouseover], main [onerror]';

it('names that would be markup or scripts elsewhere are text in the list and on the page of their token', async () => {
  await using page = await newPage();
  const { url, globex } = world();
  const alarms = recordAlarms(page, new URL(url).origin);
  await enter(page, world(), globex.admin);
  const [first = '', ...others] = NAMES;
  expect(others.length).toBeGreaterThan(450);
  await copyToken(world(), (await makeToken(page, world(), first)).id, others);

  const shown: string[] = [];
  const paths: string[] = [];
  await open(page, world(), '/settings/api');
  for (let left = NAMES.length; left > 0; left -= 50) {
    const names = await namesOn(page);
    expect(names).toHaveLength(Math.min(left, 50));
    shown.push(...names);
    paths.push(...(await pathsOn(page)));
    expect(await page.locator(HOSTILE).count()).toBe(0);
    if (left <= 50) break;
    await page.getByRole('link', { name: 'Next page' }).click();
    await page.waitForFunction(
      `document.querySelector('table tbody th a').textContent !== ${JSON.stringify(names[0])}`,
    );
  }
  expect(shown.toSorted()).toEqual(NAMES.map(shownText).toSorted());

  for (const text of NAUGHTY_TEXTS) {
    await open(page, world(), paths[shown.indexOf(shownText(text))] ?? '');
    expect(await page.locator('h1').textContent()).toBe(shownText(text));
    expect(await page.locator(HOSTILE).count()).toBe(0);
  }
  expect(alarms).toEqual([]);
});
