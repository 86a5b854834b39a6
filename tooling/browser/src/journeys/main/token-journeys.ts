import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { newPage } from '../../index.ts';
import { makeToken } from '../form-requests.ts';
import { isAccepted, namesOn, pathOfToken, secretOn } from '../tokens.ts';
import { focusOf, open, pathOf } from '../world-of-tests.ts';
import type { Journeys, Scene } from './scene.ts';

/** This number of tokens takes two pages; each has this name and a number. */
export const LISTED = { name: 'Export', count: 51 } as const;

const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);

const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name }).waitFor();

/** Makes a token, and opens its page. */
async function showToken({ page, world, unique }: Scene) {
  const token = await makeToken(page, world, unique);
  const path = `/settings/api/${token.id}`;
  await open(page, world, path);
  return { ...token, path };
}

/** Journeys of an admin, who is signed in. */
export const TOKEN_JOURNEYS: Journeys = {
  async 'a token is created, and its first use seen'({ page, hand, world, variant, unique }) {
    await open(page, world, '/settings/api');
    await hand.press(page.getByRole('link', { name: 'Create token' }).first());
    await heading(page, 'New API token');
    await hand.type(page.getByLabel('Name'), unique);
    await hand.choose(page.getByLabel('Expires'), '60d');
    await hand.press(page.getByRole('button', { name: 'Create token' }));
    await page.getByRole('alert').getByText('Choose at least one scope.').waitFor();
    expect(await focusOf(page)).toBe('scopes');
    expect(await page.getByLabel('Name').inputValue()).toBe(unique);
    await hand.check(page.getByLabel('me:read'));
    await hand.press(page.getByRole('button', { name: 'Create token' }));
    await heading(page, 'Token created');
    expect(await isAccepted(world, await secretOn(page))).toBe(true);
    if (variant.javaScript) {
      await page.locator('[data-first-use][data-state="used"]').waitFor();
    } else {
      const path = await pathOfToken(page);
      const look = async () => {
        await open(page, world, path);
        return await page.getByRole('main').textContent();
      };
      await expect.poll(look, { timeout: 15_000 }).toContain('127.0.0.1');
    }
  },

  async 'a token is rotated, and both work while programs change over'(scene) {
    const { page, hand, world, unique } = scene;
    const { secret } = await showToken(scene);
    await hand.press(page.getByRole('link', { name: 'Rotate token' }));
    await heading(page, `Rotate ${unique}`);
    await hand.choose(page.getByLabel('Keep the old token working for'), '7d');
    await hand.press(page.getByRole('button', { name: 'Rotate token' }));
    await heading(page, `New token for ${unique}`);
    const successor = await secretOn(page);
    expect(successor).not.toBe(secret);
    for (const each of [successor, secret]) expect(await isAccepted(world, each)).toBe(true);
  },

  async 'a token is revoked'(scene) {
    const { page, hand, world, unique } = scene;
    const { secret, path } = await showToken(scene);
    expect(await isAccepted(world, secret)).toBe(true);
    await hand.press(page.getByRole('link', { name: 'Revoke token' }));
    await heading(page, `Revoke ${unique}`);
    await hand.type(page.getByLabel('Reason'), 'seen in a log');
    await hand.press(page.getByRole('button', { name: 'Revoke token' }));
    await page.getByText('The token was revoked.').waitFor();
    expect(pathOf(page)).toBe(path);
    expect(await isAccepted(world, secret)).toBe(false);
    await open(page, world, `${path}/revoke`);
    expect(await page.getByRole('main').textContent()).toMatch(/was revoked by you.*seen in a log/s);
    expect(await page.getByRole('button', { name: 'Revoke token' }).count()).toBe(0);
  },

  async 'a token is renamed, and its end brought forward'(scene) {
    const { page, hand, world, unique } = scene;
    await showToken(scene);
    const rename = async (name: string) => {
      await hand.type(page.getByLabel('Name'), name);
      await hand.press(page.getByRole('button', { name: 'Rename' }));
    };
    const endOn = async (day: string) => {
      await hand.type(page.getByLabel('Last day'), day);
      await hand.press(page.getByRole('button', { name: 'Set expiry' }));
    };
    await rename(`${LISTED.name} 00`);
    await page.getByRole('alert').getByText('is already used by another token of the same owner').waitFor();
    expect(await focusOf(page)).toBe('name');
    await rename(`${unique} again`);
    await heading(page, `${unique} again`);
    await endOn(inDays(60));
    await page.getByRole('alert').getByText('must be earlier than the current last day').waitFor();
    expect(await focusOf(page)).toBe('end');
    await endOn(inDays(2));
    await page.getByText('The token was changed.').waitFor();
    expect(await page.getByRole('main').textContent()).toMatch(/in [23] days/);
    await open(page, world, '/settings/api/activity');
    expect(await page.getByRole('main').textContent()).toContain(`${unique} again`);
  },

  async 'the list is searched, filtered and paged through, and its address sent on'({ page, hand, world }) {
    await open(page, world, '/settings/api');
    await hand.type(page.getByLabel('Search'), LISTED.name);
    await hand.choose(page.getByLabel('Order'), 'name');
    await hand.press(page.getByRole('button', { name: 'Apply' }));
    await page.getByText(`${LISTED.count} tokens match`).waitFor();
    const first = await namesOn(page);
    expect([first.length, first[0]]).toEqual([50, `${LISTED.name} 00`]);

    await hand.press(page.getByRole('link', { name: 'Next page' }));
    await page.getByRole('link', { name: 'Previous page' }).waitFor();
    expect(await namesOn(page)).toEqual([`${LISTED.name} 50`]);
    await using colleague = await newPage({ like: page });
    await open(colleague, world, pathOf(page));
    expect(await namesOn(colleague)).toEqual([`${LISTED.name} 50`]);
    await hand.press(page.getByRole('link', { name: 'Previous page' }));
    await page.getByRole('link', { name: 'Next page' }).waitFor();
    expect(await namesOn(page)).toEqual(first);

    await hand.press(page.locator('summary', { hasText: 'Filters' }));
    await hand.choose(page.getByLabel('Expires'), 'never');
    await hand.press(page.getByRole('button', { name: 'Apply' }));
    await page.getByText('No active token matches').waitFor();
    await hand.press(page.getByRole('link', { name: 'Clear search and filters' }).first());
    await page.waitForURL('**/settings/api');
    await hand.press(page.getByRole('link', { name: /^Ended/ }));
    await page.waitForURL('**section=ended**');
  },
};
