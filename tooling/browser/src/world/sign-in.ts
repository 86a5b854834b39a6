import type { Page } from 'playwright-core';
import type { Person, World } from './start-world.ts';

/** Signs a person in on the page that asks for it, and waits for the next page. */
export async function signIn(
  page: Page,
  { url }: Pick<World, 'url'>,
  { email, password }: Person,
): Promise<void> {
  await page.goto(new URL('/sign-in', url).href);
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password').fill(password);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.waitForURL((address) => address.pathname !== '/sign-in');
}
