import type { AccountId } from '../accounts/account.ts';
import { type Brand, parseUuid } from '../identifiers.ts';
import type { Instant } from '../time/instant.ts';
import type { Email } from '../users/email.ts';
import type { Role, User } from '../users/user.ts';

/** A lower-case UUID of version 7. It identifies an invitation in lists, and gives no access to anything. */
export type InvitationId = Brand<string, 'InvitationId'>;

export const parseInvitationId = parseUuid<InvitationId>;

/** An invitation is open for 7 days, in milliseconds. */
export const INVITATION_MS = 7 * 86_400_000;

/** Maximum number of open invitations of an account. */
export const MAX_OPEN_INVITATIONS = 100;

/** The person who made a link. */
export type LinkMaker = Pick<User, 'id' | 'name' | 'email'>;

/** An open invitation. Its code is not part of this type. When it is accepted or revoked, it is deleted. */
export interface Invitation {
  readonly id: InvitationId;
  readonly accountId: AccountId;
  readonly email: Email;
  /** A proposal for the name of the user, who may choose another one; null if there is none. */
  readonly name: string | null;
  /** `admin` only if the operator made the invitation. */
  readonly role: Role;
  readonly createdAt: Instant;
  /** The time from which its code is refused. */
  readonly expiresAt: Instant;
  /** The admin who made the invitation; null if the operator did. */
  readonly invitedBy: LinkMaker | null;
  /** Whether only a message to the address has the code. The person who accepts it then has proved the address. */
  readonly isMailed: boolean;
}
