import type { NotAllowed } from '../access/index.ts';
import type { AuditEvent } from '../audit/audit-event.ts';
import type { Result } from '../result.ts';
import type { Instant } from '../time/instant.ts';
import type { Revocation } from '../tokens/token.ts';
import type { PasswordHash } from '../users/password-hasher.ts';
import type { User, UserId } from '../users/user.ts';
import type { UserNotFound } from '../users/user-repository.ts';
import type { LinkCodeHash, LinkNotAccepted } from './link-code.ts';
import type { OpenResetLink, PasswordReset, ResetLink } from './reset-link.ts';

/** The error if the link is for a user who is or was an admin. Only the operator makes such links. */
export type LinkForAdmin = { readonly code: 'link_for_admin' };

/** The error if the user is disabled, so that a new password would be useless. */
export type UserDisabled = { readonly code: 'user_disabled' };

export interface NewResetLink extends ResetLink {
  readonly codeHash: LinkCodeHash;
}

/**
 * Stores password-reset links with the hashes of their codes, at most one for each user. Each change and its audit event
 * are one atomic step under the lock of the account. `UserRepository` deletes the links that are for or by a user who is
 * disabled or gets another role, and those for a user who gets another password.
 *
 * A link that an admin made works only while the admin is an active admin of the account, and its user neither is nor
 * ever was an admin. Otherwise an admin could make another admin a member, reset the password, and act in the other's
 * name as an admin again.
 * Implementations pass `resetLinkRepositoryContract`.
 */
export interface ResetLinkRepository {
  /** Inserts a link, which replaces another link of the user. */
  insert(
    link: NewResetLink,
    event: AuditEvent,
  ): Promise<Result<User, NotAllowed | UserNotFound | UserDisabled | LinkForAdmin>>;

  /** Finds a link that can be used at this time. */
  findByCode(hash: LinkCodeHash, at: Instant): Promise<OpenResetLink | undefined>;

  /**
   * Gives the user's mailed link that was made at this time, if it can be used, another code, so that the one before is
   * refused. Undefined for any other link, also for one that replaced it.
   */
  renewCode(
    link: Pick<ResetLink, 'userId' | 'createdAt'>,
    hash: LinkCodeHash,
    at: Instant,
  ): Promise<OpenResetLink | undefined>;

  /**
   * Notes that someone asked for a link for this address, at most once in `pauseMs`. If an active person has the address
   * who has a password and never was an admin, inserts the link that `make` returns, with its event. An open link that is
   * not mailed stays as it is, so that no other client ends a link which an admin has just handed over. Nothing tells the
   * caller whether there is such a person.
   */
  request(
    asked: { readonly email: string; readonly at: Instant; readonly pauseMs: number },
    make: (user: User) => { readonly link: NewResetLink; readonly event: AuditEvent },
  ): Promise<void>;

  /** Forgets up to `limit` addresses for which a link was last asked before this time. Returns how many. */
  forgetRequests(options: { readonly before: Instant; readonly limit: number }): Promise<number>;

  /**
   * Sets the password, deletes the link, revokes the user's sign-in tokens and ends all of the user's sessions, if the
   * link can still be used. Of several calls with one code, one succeeds. The actor of the event revokes the tokens. If
   * the link was mailed and the address was not proved, it is now, with the event `proved`.
   */
  redeem(
    hash: LinkCodeHash,
    passwordHash: PasswordHash,
    ending: Omit<Revocation, 'by'>,
    audit: {
      readonly reset: (user: User, link: ResetLink) => AuditEvent;
      readonly proved: (user: User) => AuditEvent;
    },
  ): Promise<Result<User, LinkNotAccepted>>;

  /** Returns the last reset of the user's password by a link; undefined if there was none. */
  findLastReset(id: UserId): Promise<PasswordReset | undefined>;
}
