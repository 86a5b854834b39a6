import type { Page } from 'playwright-core';

interface Pictured {
  /** The name of the file. */
  readonly name: string;
  /** @param token the id of a token with a past */
  readonly path: (token: string) => string;
  /** Whether it is a page of Ada, who signs in first. */
  readonly signedIn: boolean;
  /** Continues from the page, for example by sending its form. */
  readonly goOn?: (page: Page, colorScheme: 'light' | 'dark') => Promise<void>;
}

/** The pages in docs/pictures. */
export const PAGES: readonly Pictured[] = [
  { name: 'start', path: () => '/', signedIn: false },
  { name: 'sign-in', path: () => '/sign-in', signedIn: false },
  { name: 'tokens', path: () => '/settings/api', signedIn: true },
  { name: 'token', path: (token) => `/settings/api/${token}`, signedIn: true },
  {
    name: 'new-token',
    path: () => '/settings/api/new?name=Nightly%20export&scope=orgs:read',
    signedIn: true,
  },
  {
    name: 'created-token',
    path: () => '/settings/api/new?scope=orgs:read&expires_in=90d',
    signedIn: true,
    async goOn(page, colorScheme) {
      await page.getByLabel('Name').fill(colorScheme === 'light' ? 'Daily export' : 'Nightly export');
      await page.getByRole('button', { name: 'Create token' }).click();
      await page.locator('[data-token]').waitFor();
    },
  },
];
