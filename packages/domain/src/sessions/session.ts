import type { Account } from '../accounts/account.ts';
import { type Brand, parseUuid } from '../identifiers.ts';
import type { ProviderSession } from '../identity-providers/linked-identity.ts';
import type { SecondFactorState } from '../second-factor/second-factor.ts';
import { addMilliseconds, type Instant } from '../time/instant.ts';
import type { User, UserId } from '../users/user.ts';
import type { SessionFormKey } from './session-secrets.ts';

/**
 * A lower-case UUID of version 7 that identifies a session in lists. Unlike the secret of the session, the id gives no
 * access to anything.
 */
export type SessionId = Brand<string, 'SessionId'>;

export const parseSessionId = parseUuid<SessionId>;

/** A signed-in browser. The secret of the session is not part of this type. */
export interface Session {
  readonly id: SessionId;
  readonly userId: UserId;
  readonly createdAt: Instant;
  /** The time of the last request, or a time up to a minute before that request. */
  readonly lastSeenAt: Instant;
  /**
   * When the user last entered the password: at the sign-in, or later to confirm their identity. A change of the user's
   * role sets this to 1970, so that the user has to enter the password again, and so does an enrolment of a second factor
   * in another session.
   */
  readonly passwordGivenAt: Instant;
  /** The IP address of the sign-in. */
  readonly origin: string;
  /** The browser's `User-Agent` at the sign-in, at most 300 characters; null if the browser sent none. */
  readonly userAgent: string | null;
  /** The identity provider that opened the session; null if a password did. */
  readonly provider: ProviderSession | null;
}

/** A session with everything that decides whether it is accepted. */
export interface SessionRecord extends Session {
  readonly user: User;
  readonly account: Account;
  readonly secondFactor: SecondFactorState;
  readonly formKey: SessionFormKey;
  /** When the secret in the request was replaced; null if it is the current secret of the session. */
  readonly secretReplacedAt: Instant | null;
  /** Whether the user's role was changed since the session got its secret. */
  readonly isRenewalDue: boolean;
}

/** The durations after which sessions end, in milliseconds. */
export interface SessionTimes {
  /** A session ends this long after its last request. */
  readonly idleMs: number;
  /** A session ends this long after the sign-in, even if it is in use. */
  readonly lifetimeMs: number;
}

/** A session ends 30 minutes after its last request, and 12 hours after the sign-in. */
export const DEFAULT_SESSION_TIMES: SessionTimes = { idleMs: 30 * 60_000, lifetimeMs: 12 * 3_600_000 };

/** How long after entering the password a user may make or rotate tokens, in milliseconds: 10 minutes. */
export const PASSWORD_TRUST_MS = 10 * 60_000;

/** The value of `passwordGivenAt` for a user who has to enter the password again. */
export const NOT_GIVEN = 0 as Instant;

/**
 * How long a replaced secret is still recognized, in milliseconds: a minute. A replaced secret gives no access, but the
 * server can tell the browser to repeat the request with the new secret.
 */
export const REPLACED_SECRET_MS = 60_000;

/** Maximum number of live sessions per user. Another sign-in ends the oldest session. */
export const MAX_LIVE_SESSIONS = 100;

/** Selects sessions that have not expired. */
export interface LiveSince {
  /** Only sessions whose sign-in was after this time are live. */
  readonly createdAfter: Instant;
  /** Only sessions whose last request was after this time are live. */
  readonly seenAfter: Instant;
}

/** Returns the conditions for a session to be live at this time. */
export function liveSince(now: Instant, { idleMs, lifetimeMs }: SessionTimes): LiveSince {
  return { createdAfter: addMilliseconds(now, -lifetimeMs), seenAfter: addMilliseconds(now, -idleMs) };
}

/** Whether the session has not expired. */
export function isLiveSession(
  { createdAt, lastSeenAt }: Pick<Session, 'createdAt' | 'lastSeenAt'>,
  { createdAfter, seenAfter }: LiveSince,
): boolean {
  return createdAt > createdAfter && lastSeenAt > seenAfter;
}

/** Whether the user entered the password so recently that pages need not ask for it again. */
export function isPasswordFresh({ passwordGivenAt }: Session, now: Instant): boolean {
  return now - passwordGivenAt <= PASSWORD_TRUST_MS;
}
