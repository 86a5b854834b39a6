import { err, ok } from '../../src/index.ts';
import type { Invitation, InvitationRepository, LinkCodeHash, NewInvitation } from '../../src/links/index.ts';
import type { Instant } from '../../src/time/index.ts';
import { emailKey, type User, type UserId } from '../../src/users/index.ts';
import { pageOf } from './page-of.ts';
import type { State } from './state.ts';

export function createInMemoryInvitationRepository(state: State): InvitationRepository {
  const seen = (invitation: NewInvitation) => seenInvitation(state, invitation);
  const open = (at: Instant) => openInvitations(state, at);
  return {
    async insert(invitation, limit, audit) {
      const { accountId, invitedBy, createdAt } = invitation;
      const key = emailKey(invitation.email);
      if (!state.actorMayAct(audit.created)) return err({ code: 'not_allowed' });
      if (!state.accounts.has(accountId)) return err({ code: 'account_not_found' });
      const isTaken = (user: User) => user.accountId === accountId && emailKey(user.email) === key;
      if ([...state.users.values()].some(isTaken)) return err({ code: 'email_taken' });
      const others = open(createdAt).filter((each) => each.accountId === accountId);
      const replaced = others.find(({ email }) => emailKey(email) === key);
      if (replaced?.invitedBy === null && invitedBy !== null) return err({ code: 'invitation_of_operator' });
      if (!replaced && others.length >= limit) return err({ code: 'too_many_invitations' });
      if (replaced) {
        state.invitations.delete(replaced.id);
        state.events.push(audit.replaced(seen(replaced)));
      }
      state.invitations.set(invitation.id, invitation);
      state.events.push(audit.created);
      return ok(seen(invitation));
    },
    async findByCode(hash, at) {
      const acceptance = acceptableInvitation(state, hash, at);
      return acceptance && { invitation: seen(acceptance.found), account: acceptance.account };
    },
    async renewCode(id, codeHash, at) {
      const stored = state.invitations.get(id);
      const acceptance = stored?.isMailed ? acceptableInvitation(state, stored.codeHash, at) : undefined;
      if (!stored || !acceptance) return undefined;
      state.invitations.set(id, { ...stored, codeHash });
      return { invitation: seen(stored), account: acceptance.account };
    },
    async list({ accountId, at, after, limit }) {
      const listed = open(at).filter((each) => accountId === undefined || each.accountId === accountId);
      return pageOf(listed.map(seen), after, limit);
    },
    async revoke(id, { at, by }, audit) {
      const found = open(at).find((each) => each.id === id);
      if (!found || (by && by.accountId !== found.accountId)) return err({ code: 'invitation_not_found' });
      const revoked = seen(found);
      const event = audit(revoked);
      if (!state.actorMayAct(event)) return err({ code: 'not_allowed' });
      if (by && found.invitedBy === null) return err({ code: 'invitation_of_operator' });
      state.invitations.delete(id);
      state.events.push(event);
      return ok(revoked);
    },
    async accept(hash, { name, passwordHash, at }, audit) {
      const found = acceptableInvitation(state, hash, at, { isForNewUser: true })?.found;
      if (!found) return err({ code: 'link_not_accepted' });
      const { accountId, email, role } = found;
      const id = state.nextId() as UserId;
      const created: User = {
        id,
        accountId,
        kind: 'person',
        email,
        name,
        role,
        createdAt: at,
        disabledAt: null,
        confirmedUntil: null,
      };
      state.users.set(id, created);
      state.passwordHashes.set(id, passwordHash);
      state.normalHashes.set(id, passwordHash);
      if (role === 'admin') state.onceAdmins.set(id, true);
      if (found.isMailed) state.setMeans(id, { emailProvedAt: at });
      state.invitations.delete(found.id);
      state.events.push(...audit(created, seen(found)));
      return ok(created);
    },
  };
}

const openInvitations = (state: State, at: Instant) =>
  [...state.invitations.values()].filter(({ expiresAt }) => expiresAt > at);

/** The invitation as it is shown, with the admin who made it. */
export function seenInvitation(
  state: State,
  { codeHash: _, invitedBy, ...invitation }: NewInvitation,
): Invitation {
  const maker = invitedBy === null ? undefined : state.users.get(invitedBy);
  return {
    ...invitation,
    invitedBy: maker ? { id: maker.id, name: maker.name, email: maker.email } : null,
  };
}

/** Finds an invitation that can be accepted. `isForNewUser`: only if no user has its address. */
export function acceptableInvitation(
  state: State,
  hash: LinkCodeHash,
  at: Instant,
  { isForNewUser = false } = {},
) {
  const found = openInvitations(state, at).find(({ codeHash }) => codeHash === hash);
  const account = found && state.accounts.get(found.accountId);
  if (!found || account?.suspendedAt !== null) return undefined;
  const { invitedBy } = found;
  if (invitedBy !== null && !state.isActiveAdmin(invitedBy, found.accountId)) return undefined;
  const isTaken = ({ email }: User) => emailKey(email) === emailKey(found.email);
  if (isForNewUser && [...state.users.values()].some(isTaken)) return undefined;
  return { found, account };
}
