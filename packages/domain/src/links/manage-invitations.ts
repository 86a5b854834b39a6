import { authorized, INVITE_USERS, type Operator, type Principal } from '../access/index.ts';
import { checkAccount, type InAccount } from '../accounts/account-repository.ts';
import { eventBy, eventOf } from '../audit/event-by.ts';
import { guardFacts } from '../guards/guard-facts.ts';
import { pagesById } from '../paging.ts';
import type { Ports } from '../ports.ts';
import { err, ok } from '../result.ts';
import { checkName } from '../text.ts';
import { addMilliseconds } from '../time/instant.ts';
import { parseEmail } from '../users/email.ts';
import type { Role } from '../users/user.ts';
import { INVITATION_MS, type Invitation, type InvitationId, MAX_OPEN_INVITATIONS } from './invitation.ts';
import type { LinkCode } from './link-code.ts';
import { invitingAccount, makerOf } from './link-makers.ts';
import { type LinkDelivery, MAILED } from './mailed-link.ts';

export interface InviteUserInput extends InAccount {
  readonly email: string;
  /** A proposal for the user's name; null if there is none. */
  readonly name: string | null;
  readonly role: Role;
}

/** A new invitation with its code, which is shown once and never stored. */
export interface MadeInvitation {
  readonly invitation: Invitation;
  readonly code: LinkCode;
}

type InvitingPorts = Ports<'invitations' | 'linkCodes' | 'guards' | 'clock'>;

/** Stores an invitation with a new code. */
const invite =
  ({ invitations, linkCodes, guards, clock }: InvitingPorts, delivery: LinkDelivery) =>
  async (caller: Principal | Operator, input: InviteUserInput) => {
    const accountId = invitingAccount(caller, input);
    if (!accountId.ok) return accountId;
    const email = parseEmail(input.email);
    const name = input.name === null ? ok(null) : checkName('name', input.name);
    if (!email.ok || !name.ok) {
      const problems = [email, name].flatMap((check) => (check.ok ? [] : check.error.problems));
      return err({ code: 'invalid_input', problems });
    }
    const at = clock.now();
    const asked = { email: email.value, role: input.role };
    const guarded = await guards.check('invitation.create', asked, guardFacts(caller, accountId.value, at));
    if (!guarded.ok) return guarded;
    const { id: text, code } = linkCodes.create('invitation');
    const invitation = {
      id: text as InvitationId,
      accountId: accountId.value,
      email: email.value,
      name: name.value,
      role: input.role,
      createdAt: at,
      expiresAt: addMilliseconds(at, INVITATION_MS),
      codeHash: linkCodes.hashOf(code),
      invitedBy: makerOf(caller),
      isMailed: delivery === 'mail',
    };
    const details = { ...asked, ...(delivery === 'mail' && MAILED) };
    const inserted = await invitations.insert(invitation, MAX_OPEN_INVITATIONS, {
      created: eventBy(caller, eventOf(at, 'invitation.created', invitation, details)),
      replaced: (before) =>
        eventBy(caller, invitationRevoked(before, { at, reason: 'a newer one replaces it' })),
    });
    return inserted.ok ? ok<MadeInvitation>({ invitation: inserted.value, code }) : inserted;
  };

/**
 * Invites a person to the caller's account, or for the operator to the given account. The caller hands the link over. The
 * answer is the same whether or not a user of another account has the address.
 */
export const inviteUser = authorized(INVITE_USERS, (ports: InvitingPorts) => invite(ports, 'show'));

/** Invites a person as `inviteUser` does. The link is mailed, and the caller never gets its code. */
export const mailInvitation = authorized(INVITE_USERS, (ports: InvitingPorts) => {
  const invited = invite(ports, 'mail');
  return async (caller, input: InviteUserInput) => {
    const made = await invited(caller, input);
    return made.ok ? ok(made.value.invitation) : made;
  };
});

/** Lists the open invitations of the caller's account, or for the operator of one or all accounts, the oldest first. */
export const listInvitations = authorized(
  INVITE_USERS,
  ({ accounts, invitations, clock }: Ports<'accounts' | 'invitations' | 'clock'>) =>
    async (caller, input: InAccount) => {
      const accountId = caller.kind === 'operator' ? input.accountId : caller.accountId;
      const known = await checkAccount(accounts, accountId);
      if (!known.ok) return known;
      const at = clock.now();
      return ok(pagesById<Invitation>((page) => invitations.list({ accountId, at, ...page })));
    },
);

/** Revokes an open invitation. Its code is refused from now on. An admin cannot revoke an operator's invitation. */
export const revokeInvitation = authorized(
  INVITE_USERS,
  ({ invitations, clock }: Ports<'invitations' | 'clock'>) =>
    async (caller, id: InvitationId) => {
      const at = clock.now();
      return invitations.revoke(id, { at, ...(caller.kind === 'user' && { by: caller }) }, (before) =>
        eventBy(caller, invitationRevoked(before, { at, reason: null })),
      );
    },
);

/** The event of an invitation that was revoked, or that ended because its maker is no longer an active admin. */
export function invitationRevoked(
  invitation: Pick<Invitation, 'id' | 'accountId' | 'email'>,
  { at, reason }: { readonly at: Invitation['createdAt']; readonly reason: string | null },
) {
  return eventOf(at, 'invitation.revoked', invitation, { email: invitation.email, reason });
}
