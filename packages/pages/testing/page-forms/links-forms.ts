import type { LinkCode } from '@gatehouse/domain/links';
import { createResetLink, inviteUser } from '@gatehouse/domain/links';
import { inPerson, unwrap } from '@gatehouse/domain/testing';
import type { PageScene as Scene } from '../serve-pages.ts';
import { type FormsOfPages, headersOf, type Sent } from './sent-form.ts';

const [INVITATIONS, NEW] = ['/settings/users/invitations', '/settings/users/invitations/new'];
const CHOSEN = 'another horse battery';

/** Stores an invitation by the admin, and returns its code. */
export async function givenInvitationCode({ world, people }: Scene, email = 'noor@acme.example') {
  const input = { email, name: 'Noor', role: 'member' } as const;
  return unwrap(await inviteUser(world)(inPerson(people.admin), input)).code;
}

/** Stores a password-reset link for the member, and returns its code. */
export async function givenResetCode({ world, people }: Scene): Promise<LinkCode> {
  return unwrap(await createResetLink(world)(inPerson(people.admin), { id: people.member.id })).code;
}

async function inviteForm(scene: Scene): Promise<Sent> {
  const visitor = await scene.signedIn();
  const values = (await visitor.get(NEW)).fill('Create invitation', { Email: 'new@acme.example' });
  return { visitor, path: NEW, values, headers: headersOf(scene), done: 200 };
}

async function revokeForm(scene: Scene): Promise<Sent> {
  await givenInvitationCode(scene);
  const visitor = await scene.signedIn();
  const values = (await visitor.get(INVITATIONS)).fill('Revoke');
  return { visitor, path: INVITATIONS, values, headers: headersOf(scene), button: 'Revoke', done: 303 };
}

async function resetLinkForm(scene: Scene): Promise<Sent> {
  const visitor = await scene.signedIn();
  const path = `/settings/users/${scene.people.member.id}/reset-link`;
  const values = (await visitor.get(path)).fill('Create link');
  return { visitor, path, values, headers: headersOf(scene), done: 200 };
}

/** The second form of a page that takes a code. */
async function codeForm(scene: Scene, path: string, code: LinkCode, button: string): Promise<Sent> {
  const visitor = await scene.signedIn();
  const shown = await (await visitor.get(path)).submit('Continue', { Code: code });
  const values = shown.fill(button, { 'New password': CHOSEN, 'Confirm new password': CHOSEN });
  return { visitor, path, values, headers: headersOf(scene), done: 200 };
}

/** The forms of invitations and of password-reset links. */
export const LINKS_FORMS: FormsOfPages = {
  'inviting a user': inviteForm,
  'revoking an invitation': revokeForm,
  'making a password reset link': resetLinkForm,
  'accepting an invitation': async (scene) =>
    codeForm(scene, '/invitation', await givenInvitationCode(scene), 'Join'),
  'setting a password by a link': async (scene) =>
    codeForm(scene, '/password-reset', await givenResetCode(scene), 'Set password'),
};
