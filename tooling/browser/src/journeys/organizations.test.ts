import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { open, sharedSessions, worldOfTests } from './world-of-tests.ts';

const world = worldOfTests();
const signedIn = sharedSessions(world);
const LIST = '/settings/organizations';

const heading = (page: Page, name: string) =>
  page.getByRole('heading', { level: 1, name, exact: true }).waitFor();

it.each([true, false])(
  'an admin makes an organization, its member sees it, and it is deleted (scripts: %s)',
  async (javaScript) => {
    const { admin, member } = world().acme;
    const name = `Foundry ${javaScript}`;
    await using ada = await signedIn(admin, { javaScript });
    await open(ada, world(), LIST);
    await ada.getByRole('link', { name: 'Create organization' }).click();
    await ada.getByLabel('Name').fill(name);
    await ada.getByLabel('Description').fill('Castings\nof iron');
    await ada.getByRole('button', { name: 'Create organization' }).click();
    await heading(ada, name);
    const path = new URL(ada.url()).pathname;
    await ada.getByLabel('Email').fill(member.email);
    await ada.getByRole('button', { name: 'Add member' }).click();
    await ada.getByText('The member was added.').waitFor();

    await using ben = await signedIn(member, { javaScript });
    await open(ben, world(), LIST);
    await ben.getByRole('link', { name }).click();
    await heading(ben, name);
    expect(await ben.getByRole('button', { name: 'Save' }).count()).toBe(0);

    await ada.getByRole('link', { name: 'Delete organization' }).click();
    await ada.getByText('1 member can no longer access').waitFor();
    await ada.getByLabel('Name of the organization').fill(name);
    await ada.getByRole('button', { name: 'Delete organization' }).click();
    await ada.getByText('The organization was deleted.').waitFor();
    const gone = await ben.goto(world().url + path);
    expect(gone?.status()).toBe(404);
  },
);
