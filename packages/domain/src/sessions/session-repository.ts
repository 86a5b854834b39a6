import type { AuditEvent } from '../audit/audit-event.ts';
import type { Result } from '../result.ts';
import type { Instant } from '../time/instant.ts';
import type { PasswordChanged, PasswordHash } from '../users/password-hasher.ts';
import type { UserId } from '../users/user.ts';
import type { LiveSince, Session, SessionId, SessionRecord } from './session.ts';
import type { SecretRenewal, SessionFormKey, SessionSecretHash } from './session-secrets.ts';

/** The reason why a session is not stored. */
export type SessionInsertRefusal =
  /** The user is disabled or the account suspended. */
  { readonly code: 'user_not_fit' } | PasswordChanged;

/** The session has ended, belongs to another user, or got a new secret meanwhile. */
export type SessionNotFound = { readonly code: 'session_not_found' };

/** Identifies a session of a user. It counts as absent if it belongs to another user. */
export interface OwnSession {
  readonly id: SessionId;
  readonly userId: UserId;
}

/** The largest number of live sessions of one user. */
export interface SessionBound extends LiveSince {
  readonly keep: number;
}

export interface NewSession extends Session {
  readonly secretHash: SessionSecretHash;
  readonly formKey: SessionFormKey;
}

/**
 * Stores sessions with the hashes of their secrets. Each change and its audit events are one atomic step. A session that has
 * ended is deleted, so no later change revives it. `UserRepository` ends the sessions of users who are disabled or get a new
 * password. After a change of a role, `UserRepository` requires the password of the user again.
 * Implementations pass `sessionRepositoryContract`.
 */
export interface SessionRepository {
  /**
   * Inserts a session if the user is not disabled, the account is not suspended and the stored hash is still the verified
   * one, after waiting for transactions that change these. Then ends the oldest of the user's other live sessions until
   * `keep` are left with this one, each with its event.
   */
  insert(
    session: NewSession,
    guard: { readonly verifiedHash: PasswordHash },
    bound: SessionBound,
    audit: { readonly created: AuditEvent; readonly ended: (oldest: Session) => AuditEvent },
  ): Promise<Result<void, SessionInsertRefusal>>;

  /**
   * Reads a session by its secret or its previous secret, with its user and account in one query, whether or not they are
   * accepted.
   */
  find(secretHash: SessionSecretHash): Promise<SessionRecord | undefined>;

  /** Records the time of a request. An earlier time than the stored one changes nothing, and an ended session stays ended. */
  touch(id: SessionId, at: Instant): Promise<void>;

  /**
   * Records that the user gave the password and replaces the session's secret, if the stored hash is still the verified one.
   * One of several calls with the same secret succeeds.
   */
  confirmPassword(
    own: OwnSession,
    at: Instant,
    guard: { readonly verifiedHash: PasswordHash },
    renewal: SecretRenewal,
  ): Promise<Result<void, SessionNotFound | PasswordChanged>>;

  /**
   * Replaces the secret of a session whose renewal is due. Returns whether the secret was replaced. Of several calls with the
   * same secret, one replaces it.
   */
  renew(own: OwnSession, at: Instant, renewal: SecretRenewal): Promise<boolean>;

  /** Returns the user's live sessions, the newest first. */
  list(userId: UserId, live: LiveSince): Promise<readonly Session[]>;

  /** Ends the user's session, and returns whether the session existed. Records no event if it did not exist. */
  end(own: OwnSession, event: AuditEvent): Promise<boolean>;

  /** Ends the user's other sessions and returns the number of live ones. Each live session gets an event. */
  endOthers(kept: OwnSession, live: LiveSince, audit: (ended: Session) => AuditEvent): Promise<number>;

  /**
   * Deletes up to `limit` sessions that were created before this time, and returns their number. Skips sessions that another
   * transaction has locked, so several processes can sweep at once.
   */
  sweep(options: { readonly createdBefore: Instant; readonly limit: number }): Promise<number>;
}
