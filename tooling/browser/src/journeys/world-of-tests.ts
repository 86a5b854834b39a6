import { fillDataFolder } from '@gatehouse/embedded-postgres/testing/fill-data-folder';
import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll } from 'vitest';
import { startWorld, type World } from '../index.ts';

/** The world that the tests of a file share: it is started before the first and removed after the last. */
export function worldOfTests(): () => World {
  let world: World | undefined;
  beforeAll(async () => {
    world = await startWorld({ fill: fillDataFolder });
  });
  afterAll(async () => {
    await world?.[Symbol.asyncDispose]();
  });
  return () => {
    if (world === undefined) throw new Error('the world was not started');
    return world;
  };
}

/** Opens a page of the world, and throws unless it is one. */
export async function open(page: Page, { url }: World, path: string): Promise<void> {
  const response = await page.goto(new URL(path, url).href);
  if (response?.status() !== 200) throw new Error(`${path} is no page: ${response?.status()}`);
}

/** Without the origin. */
export function pathOf(page: Page): string {
  const { pathname, search } = new URL(page.url());
  return pathname + search;
}

const MAX_STEPS = 60;

/** Goes on by the Tab key until the control has the focus. */
export async function tabTo(page: Page, control: Locator): Promise<void> {
  for (let step = 0; step < MAX_STEPS; step++) {
    if ((await control.and(page.locator(':focus')).count()) === 1) return;
    await page.keyboard.press('Tab');
  }
  throw new Error(`the Tab key does not lead to ${control}`);
}
