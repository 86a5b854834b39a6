import type { Page } from 'playwright-core';
import { signIn, type World } from '../../index.ts';
import { at, press, type State } from './state.ts';

const NEW_INVITATION = '/settings/users/invitations/new';

async function invite(page: Page): Promise<void> {
  await page.getByLabel('Email').fill('noor@acme.example');
  await press(page, 'Send invitation');
}

/** Opens a page as the admin of the world, and goes on from there. */
const asAdmin = (path: string, goOn?: (page: Page) => Promise<void>) =>
  ({
    who: 'visitor',
    path: at('/sign-in'),
    earlier: async (page, world) => {
      await signIn(page, world, world.acme.admin);
      await page.goto(new URL(path, world.url).href);
      await goOn?.(page);
      await page.waitForLoadState();
    },
  }) satisfies Partial<State<World, undefined>>;

/** The pages of a server that has a mail server. */
export const MAIL_STATES: readonly State<World, undefined>[] = [
  { name: 'sign-in, with a mail server', who: 'visitor', path: at('/sign-in') },
  { name: 'forgotten password', who: 'visitor', path: at('/forgot-password') },
  {
    name: 'forgotten password, asked for',
    who: 'visitor',
    path: at('/forgot-password'),
    async send(page, { acme }) {
      await page.getByLabel('Email').fill(acme.member.email);
      await press(page, 'Send link');
    },
  },
  { name: 'mailed invitation', ...asAdmin(NEW_INVITATION), send: invite },
  {
    name: 'mailed reset link',
    ...asAdmin('/settings/users', async (page) => {
      await page.getByRole('link', { name: 'Ben', exact: true }).click();
      await page.getByRole('link', { name: 'Create password reset link' }).click();
    }),
    send: (page) => press(page, 'Send link'),
  },
  {
    name: 'invitation that is shown instead',
    ...asAdmin(NEW_INVITATION, invite),
    send: (page) => press(page, 'Show the link instead'),
  },
];
