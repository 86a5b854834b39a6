import type { AccountId } from '../src/accounts/index.ts';
import type { AuditEvent } from '../src/audit/index.ts';
import type { Repositories } from '../src/index.ts';
import type {
  Invitation,
  InvitationId,
  LinkCodeHash,
  NewInvitation,
  NewResetLink,
  ResetLinkId,
} from '../src/links/index.ts';
import { INVITATION_MS, RESET_LINK_MS } from '../src/links/index.ts';
import { addMilliseconds } from '../src/time/index.ts';
import type { Email, User, UserId } from '../src/users/index.ts';
import { anEvent, aSecretHash, aTokenId, START, unwrap } from './fixtures.ts';

/** An event by the admin who makes a link; by the operator if that is null. */
export function byMaker(
  id: UserId | null,
  accountId: AccountId,
  parts: Partial<AuditEvent> = {},
): AuditEvent {
  return anEvent({ ...(id !== null && { actor: { kind: 'user', id } }), accountId, ...parts });
}

/** Creates the hash of a code that no link has. */
export const aCodeHash = () => aSecretHash() as string as LinkCodeHash;

/** Creates an invitation by this admin without storing it. */
export function anInvitation(
  maker: Pick<User, 'id' | 'accountId'>,
  parts: Partial<NewInvitation> = {},
): NewInvitation {
  const id = aTokenId() as string as InvitationId;
  return {
    id,
    accountId: maker.accountId,
    email: `${id}@acme.example` as Email,
    name: null,
    role: 'member',
    createdAt: START,
    expiresAt: addMilliseconds(START, INVITATION_MS),
    codeHash: aCodeHash(),
    invitedBy: maker.id,
    isMailed: false,
    ...parts,
  };
}

/** Stores an invitation. */
export async function givenInvitation(
  store: Repositories,
  ...made: Parameters<typeof anInvitation>
): Promise<NewInvitation & { readonly stored: Invitation }> {
  const invitation = anInvitation(...made);
  const audit = { created: byMaker(invitation.invitedBy, invitation.accountId), replaced: () => anEvent() };
  return { ...invitation, stored: unwrap(await store.invitations.insert(invitation, 100, audit)) };
}

/** Creates a password-reset link for the user, by the operator unless `parts` has another maker, without storing it. */
export function aResetLink(user: Pick<User, 'id'>, parts: Partial<NewResetLink> = {}): NewResetLink {
  return {
    id: aTokenId() as string as ResetLinkId,
    userId: user.id,
    createdAt: START,
    expiresAt: addMilliseconds(START, RESET_LINK_MS),
    madeBy: null,
    isMailed: false,
    isRequested: false,
    codeHash: aCodeHash(),
    ...parts,
  };
}

/** Stores a password-reset link. */
export async function givenResetLink(store: Repositories, ...made: Parameters<typeof aResetLink>) {
  const link = aResetLink(...made);
  unwrap(await store.resetLinks.insert(link, anEvent()));
  return link;
}
