import type { LinkCode } from '../src/links/index.ts';
import {
  acceptInvitation,
  createResetLink,
  findInvitation,
  findResetLink,
  inviteUser,
  listInvitations,
  resetPassword,
  revokeInvitation,
} from '../src/links/index.ts';
import type { User } from '../src/users/index.ts';
import { createWorldWithAdmins, givenPerson, inPerson } from './world.ts';

/** The IP address of people who open links. */
export const ADDRESS = '192.0.2.7';

/** A password that the person with the link chooses. */
export const CHOSEN = 'seven green teapots';

export type LinksScene = Awaited<ReturnType<typeof createLinksScene>>;

/**
 * A world with two admins and a member of Acme, an admin of another account, and the use cases of invitations and
 * password-reset links.
 */
export async function createLinksScene() {
  const { world, ada, eve } = await createWorldWithAdmins();
  const ofAcme = (email: string, role: User['role']) =>
    givenPerson(world, { accountId: ada.accountId, email, role, name: 'Grace' });
  const [grace, mia] = [
    await ofAcme('grace@acme.example', 'admin'),
    await ofAcme('mia@acme.example', 'member'),
  ];
  const accept = acceptInvitation(world);
  const reset = resetPassword(world);
  return {
    world,
    ada,
    grace,
    mia,
    eve,
    invite: inviteUser(world),
    list: listInvitations(world),
    revoke: revokeInvitation(world),
    createLink: createResetLink(world),
    /** Invites a person as this admin does. */
    inviteBy: (admin: User, email = 'new@acme.example') =>
      inviteUser(world)(inPerson(admin), { email, name: null, role: 'member' }),
    openInvitation: (code: LinkCode | string) => findInvitation(world)({ code, address: ADDRESS }),
    accept: (code: LinkCode | string, parts: { readonly name?: string; readonly password?: string } = {}) =>
      accept({ code, address: ADDRESS, name: 'Noor', password: CHOSEN, ...parts }),
    openReset: (code: LinkCode | string) => findResetLink(world)({ code, address: ADDRESS }),
    reset: (code: LinkCode | string, password = CHOSEN) => reset({ code, address: ADDRESS, password }),
    /** Returns the newest events, the oldest first. */
    events: async (limit: number) =>
      (await world.audit.list({ limit })).map(({ event }) => event).toReversed(),
  };
}
