import { createClient } from '@gatehouse/client';
import type { Page } from 'playwright-core';
import type { World } from '../index.ts';

/** Calls the API like a program that has the token. */
export const programWith = ({ url }: Pick<World, 'url'>, token: string) =>
  createClient({ baseUrl: url, token });

export const isAccepted = async (world: Pick<World, 'url'>, token: string) =>
  (await programWith(world, token).me()).status === 200;

/** Returns the token that the page shows only this once. */
export const secretOn = async (page: Page) =>
  (await page.locator('[data-token]').textContent())?.trim() ?? '';

/** Returns the path of the created token. */
export const pathOfToken = async (page: Page) =>
  (await page.getByRole('link', { name: 'View token' }).getAttribute('href')) ?? '';

/** Returns the names in the list of tokens, in the order of the list. */
export const namesOn = (page: Page) => page.locator('table tbody th a').allTextContents();

/** The paths of their pages. */
export async function pathsOn(page: Page): Promise<readonly string[]> {
  return await page.evaluate(
    `Array.from(document.querySelectorAll('table tbody th a'), (link) => link.pathname)`,
  );
}
