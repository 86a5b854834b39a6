import type { NotAllowed } from '../access/authorize.ts';
import type { AuditEvent } from '../audit/audit-event.ts';
import type { ProviderId } from '../identity-providers/provider.ts';
import type { Result } from '../result.ts';
import type { Instant } from '../time/instant.ts';
import type { PasswordChanged, PasswordHash } from '../users/password-hasher.ts';
import type { User, UserId } from '../users/user.ts';
import type { LiveSince, Session, SessionId, SessionRecord } from './session.ts';
import type { SecretRenewal, SessionFormKey, SessionSecretHash } from './session-secrets.ts';

/** The reason why a session is not stored. */
export type SessionInsertRefusal =
  /** The user is disabled, or the account is suspended. */
  { readonly code: 'user_not_fit' } | PasswordChanged;

/** The error if the session has ended, belongs to another user, or has got a new secret since the request was sent. */
export type SessionNotFound = { readonly code: 'session_not_found' };

/** Identifies a session of a user. A session of another user counts as absent. */
export interface OwnSession {
  readonly id: SessionId;
  readonly userId: UserId;
}

/** The largest number of live sessions of one user (`keep`), and the conditions for a session to be live. */
export interface SessionBound extends LiveSince {
  readonly keep: number;
}

/** The sessions that a log-out at a provider ends. At least one of subject and session is not null. */
export interface ProviderLogOutSelection {
  readonly provider: ProviderId;
  readonly issuer: string;
  readonly subject: string | null;
  readonly providerSession: string | null;
  readonly openedBefore: Instant;
}

/**
 * The credentials that were verified before a change that needs the password. If either is no longer stored, the change is refused as
 * `password_changed`, and is tried again with the new credentials.
 */
export interface VerifiedCredentials {
  readonly verifiedHash: PasswordHash;
  /** The enrolment of the second factor that was verified, too; null if the user had none. Default: null. */
  readonly secondFactorAt?: Instant | null;
}

export interface NewSession extends Session {
  readonly secretHash: SessionSecretHash;
  readonly formKey: SessionFormKey;
}

/**
 * Stores sessions with the hashes of their secrets. Each change and its audit events are one atomic step. A session is
 * deleted when it ends, so no later change can bring it back. `UserRepository` ends the sessions of users who are
 * disabled or get a new password. When `UserRepository` changes a role, it resets `passwordGivenAt`, so that the user
 * has to enter the password again.
 * Implementations pass `sessionRepositoryContract`.
 */
export interface SessionRepository {
  /**
   * Inserts a session if the user is not disabled, the account is not suspended, and the credentials are still the
   * verified ones. Before these checks, waits for transactions that change the user or the account. If the user then
   * has more than `keep` live sessions, ends the oldest of them. Each ended session gets an event.
   */
  insert(
    session: NewSession,
    guard: VerifiedCredentials,
    bound: SessionBound,
    audit: { readonly created: AuditEvent; readonly ended: (oldest: Session) => AuditEvent },
  ): Promise<Result<void, SessionInsertRefusal>>;

  /**
   * Finds a session by the hash of its secret or of its previous secret, with the user and the account, in one query.
   * Does not check whether the session, the user or the account is still active.
   */
  find(secretHash: SessionSecretHash): Promise<SessionRecord | undefined>;

  /**
   * Stores the time of a request. A time before the stored time changes nothing. A session that has ended stays ended.
   */
  touch(id: SessionId, at: Instant): Promise<void>;

  /**
   * Stores that the user has given the password at this time, and replaces the session's secret. Refuses if the
   * user's credentials are no longer the verified ones. Only one of several calls with the same secret succeeds.
   */
  confirmPassword(
    own: OwnSession,
    at: Instant,
    guard: VerifiedCredentials,
    renewal: SecretRenewal,
  ): Promise<Result<void, SessionNotFound | PasswordChanged>>;

  /**
   * Replaces the secret of a session whose renewal is due. Returns whether the secret was replaced. Only one of several
   * calls with the same secret replaces it.
   */
  renew(own: OwnSession, at: Instant, renewal: SecretRenewal): Promise<boolean>;

  /** Returns the user's live sessions, the newest first. */
  list(userId: UserId, live: LiveSince): Promise<readonly Session[]>;

  /** Ends the user's session, and returns whether the session existed. Stores the event only if it existed. */
  end(own: OwnSession, event: AuditEvent): Promise<boolean>;

  /**
   * Ends all sessions of the user except `kept`. Returns how many of the ended sessions were live. Each of these gets
   * an event.
   */
  endOthers(kept: OwnSession, live: LiveSince, audit: (ended: Session) => AuditEvent): Promise<number>;

  /**
   * Ends all sessions of the user. Returns how many of them were live. Each of these gets an event. Returns
   * `not_allowed` if the actor is a user who is no longer an active admin of the account.
   */
  endAll(
    user: Pick<User, 'id' | 'accountId'>,
    live: LiveSince,
    actor: AuditEvent['actor'],
    audit: (ended: Session) => AuditEvent,
  ): Promise<Result<number, NotAllowed>>;

  /**
   * Ends the sessions that a provider opened and that were opened before `openedBefore`, with an event for each, and
   * returns their number. `providerSession` selects the sessions of this provider that have it; with a subject, only the
   * subject's, and also those whose name the provider did not say. Without it, all sessions of the issuer's subject.
   */
  endOfProvider(
    selected: ProviderLogOutSelection,
    audit: (ended: Session, user: Pick<User, 'id' | 'accountId'>) => AuditEvent,
  ): Promise<number>;

  /**
   * Deletes up to `limit` sessions that were created before this time, and returns their number. Skips sessions that
   * another transaction has locked, so that several processes can sweep at the same time.
   */
  sweep(options: { readonly createdBefore: Instant; readonly limit: number }): Promise<number>;
}
