import type { Page } from 'playwright-core';
import type { World } from '../../index.ts';
import { at, press, type State } from './state.ts';

const INVITATIONS = '/settings/users/invitations';
const NEW_INVITATION = `${INVITATIONS}/new`;

/** Invites an unknown person on the command line, and returns the code of the link. */
async function codeOfInvitation({ command, acme }: World): Promise<string> {
  const { account_id } = JSON.parse(await command(['user', 'show', acme.admin.email, '--json']));
  const email = `person-${Date.now()}@acme.example`;
  const options = ['--account', `${account_id}`, '--email', email, '--role', 'member'];
  return JSON.parse(await command(['user', 'invite', ...options, '--json'])).code;
}

async function codeOfReset({ command, acme }: World): Promise<string> {
  return JSON.parse(await command(['user', 'reset-link', acme.member.email, '--json'])).code;
}

/** Sends the form that takes the code, and waits for the form of the password. */
async function enterCode(page: Page, code: string): Promise<void> {
  await page.getByLabel('Code').fill(code);
  await press(page, 'Continue');
}

export const LINK_STATES: readonly State[] = [
  { name: 'no invitations', who: 'beginner', path: at(INVITATIONS) },
  {
    name: 'invitations',
    who: 'admin',
    path: at(INVITATIONS),
    before: async (world) => void (await codeOfInvitation(world)),
  },
  { name: 'invitations, to a member', who: 'member', path: at(INVITATIONS), status: 403 },
  { name: 'new invitation', who: 'admin', path: at(NEW_INVITATION) },
  {
    name: 'new invitation, refused',
    who: 'admin',
    path: at(NEW_INVITATION),
    status: 422,
    send: (page) => press(page, 'Create invitation'),
  },
  {
    name: 'created invitation',
    who: 'admin',
    path: at(NEW_INVITATION),
    async send(page) {
      await page.getByLabel('Email').fill(`new-${Date.now()}@acme.example`);
      await press(page, 'Create invitation');
    },
  },
  { name: 'reset of a password', who: 'admin', path: ({ member }) => `/settings/users/${member}/reset-link` },
  {
    name: 'created reset link',
    who: 'admin',
    path: ({ member }) => `/settings/users/${member}/reset-link`,
    send: (page) => press(page, 'Create link'),
  },
  {
    name: 'reset of a password of an admin',
    who: 'admin',
    path: ({ admin }) => `/settings/users/${admin}/reset-link`,
  },
  { name: 'invitation', who: 'visitor', path: at('/invitation') },
  {
    name: 'invitation that does not work',
    who: 'visitor',
    path: at('/invitation'),
    status: 422,
    send: (page) => enterCode(page, 'x'),
  },
  {
    name: 'invitation of a code',
    who: 'visitor',
    path: at('/invitation'),
    send: async (page, world) => enterCode(page, await codeOfInvitation(world)),
  },
  {
    name: 'invitation of a code, to a user',
    who: 'member',
    path: at('/invitation'),
    send: async (page, world) => enterCode(page, await codeOfInvitation(world)),
  },
  { name: 'password reset', who: 'visitor', path: at('/password-reset') },
  {
    name: 'password reset of a code',
    who: 'visitor',
    path: at('/password-reset'),
    send: async (page, world) => enterCode(page, await codeOfReset(world)),
  },
];
