import type { Brand } from '../identifiers.ts';
import type { Instant } from '../time/instant.ts';
import type { User, UserId } from '../users/user.ts';

/** A lower-case UUID of version 7, for the audit log. */
export type ResetLinkId = Brand<string, 'ResetLinkId'>;

/** A password-reset link can be used for one hour, in milliseconds. */
export const RESET_LINK_MS = 3_600_000;

/** A password-reset link. Its code is not part of this type. When it is used or ended, it is deleted. */
export interface ResetLink {
  readonly id: ResetLinkId;
  readonly userId: UserId;
  readonly createdAt: Instant;
  /** The time from which its code is refused. */
  readonly expiresAt: Instant;
  /** The admin who made the link; null if the operator did, or the user asked for it. */
  readonly madeBy: UserId | null;
  /** Whether only a message to the user has the code. The person who uses it then has proved the address. */
  readonly isMailed: boolean;
  /** Whether someone asked for it on the page for forgotten passwords. Such a link works only for users who never were admins. */
  readonly isRequested: boolean;
}

/** How the user's password was last reset by a link, which the user is told. */
export interface PasswordReset {
  readonly at: Instant;
  /**
   * The email of the admin who made the link; null if the operator did. It is not the name, which the admin could have
   * changed to another person's before the link was used.
   */
  readonly madeBy: string | null;
}

/** A link that can be used, with its user. */
export interface OpenResetLink {
  readonly link: ResetLink;
  readonly user: User;
}
