import { fillDataFolder } from '@gatehouse/embedded-postgres/testing/fill-data-folder';
import { fillServedFolder } from '@gatehouse/test-database/served-folder';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll } from 'vitest';
import { newPage, type PageOptions, type Person, startWorld, type World } from '../index.ts';
import { addGlobex } from '../world/start-world.ts';
import { enter } from './form-requests.ts';

/** The world that the tests of a file share: it starts before the first and is removed after the last. */
export function worldOfTests(): () => World {
  let world: World | undefined;
  beforeAll(async () => {
    const fill = (folder: string) =>
      fillServedFolder(folder, fillDataFolder, { name: 'globex', add: addGlobex });
    world = await startWorld({ fill, hasGlobex: true });
  });
  afterAll(async () => {
    await world?.[Symbol.asyncDispose]();
  });
  return () => {
    if (world === undefined) throw new Error('the world was not started');
    return world;
  };
}

/**
 * Opens pages that are signed in. All pages of a person share one session; a test that ends it has to sign in by
 * itself.
 */
export function sharedSessions(world: () => World) {
  const entered = new Map<string, Page>();
  afterAll(async () => {
    for (const page of entered.values()) await page.close();
  });
  return async (person: Person, options: PageOptions = {}): Promise<Page> => {
    const like = entered.get(person.email) ?? (await newPage());
    if (!entered.has(person.email)) await enter(like, world(), person);
    entered.set(person.email, like);
    return await newPage({ ...options, like });
  };
}

/** Opens a page of the world; throws if the answer is not a page. */
export async function open(page: Page, { url }: Pick<World, 'url'>, path: string): Promise<void> {
  const response = await page.goto(new URL(path, url).href);
  if (response?.status() !== 200) throw new Error(`${path} is no page: ${response?.status()}`);
}

/** Without the origin. */
export function pathOf(page: Page): string {
  const { pathname, search } = new URL(page.url());
  return pathname + search;
}

/** The name of the field that has the focus. */
export const focusOf = (page: Page) => page.locator(':focus').getAttribute('name');
