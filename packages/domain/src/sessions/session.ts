import type { Account } from '../accounts/account.ts';
import { type Brand, parseUuid } from '../identifiers.ts';
import { addMilliseconds, type Instant } from '../time/instant.ts';
import type { User, UserId } from '../users/user.ts';
import type { SessionFormKey } from './session-secrets.ts';

/** A lower-case UUID of version 7, which names a session in lists. It opens nothing. */
export type SessionId = Brand<string, 'SessionId'>;

export const parseSessionId = parseUuid<SessionId>;

/** A signed-in browser. What proves it, its secret, is not part of it. */
export interface Session {
  readonly id: SessionId;
  readonly userId: UserId;
  readonly createdAt: Instant;
  /** The last request, or one up to a minute before it. */
  readonly lastSeenAt: Instant;
  /**
   * When the user last gave the password: at sign-in, or later to confirm it is still the same person. 1970 after a change of
   * the user's role, which takes it back.
   */
  readonly passwordGivenAt: Instant;
  /** The IP address of the sign-in. */
  readonly origin: string;
  /** How the browser named itself at the sign-in, at most 300 characters; null if it did not. */
  readonly userAgent: string | null;
}

/** A session with everything that decides whether it is accepted. */
export interface SessionRecord extends Session {
  readonly user: User;
  readonly account: Account;
  readonly formKey: SessionFormKey;
  /** When the secret that found the session was replaced; null if it is the current one. */
  readonly secretReplacedAt: Instant | null;
  /** Whether the user's role was changed since the session got its secret. */
  readonly isRenewalDue: boolean;
}

/** When sessions end by themselves, in milliseconds. */
export interface SessionTimes {
  /** After the last request. */
  readonly idleMs: number;
  /** After the sign-in, whatever the use. */
  readonly lifetimeMs: number;
}

/** 30 minutes and 12 hours. */
export const DEFAULT_SESSION_TIMES: SessionTimes = { idleMs: 30 * 60_000, lifetimeMs: 12 * 3_600_000 };

/** How long a given password is enough to make or rotate tokens, in milliseconds: 10 minutes. */
export const PASSWORD_TRUST_MS = 10 * 60_000;

/** The time of a password that has to be given again. */
export const NOT_GIVEN = 0 as Instant;

/**
 * How long a replaced secret is still recognized, in milliseconds: a minute. It opens nothing, but requests that the same
 * browser sent before it had the new one can go on with that.
 */
export const REPLACED_SECRET_MS = 60_000;

/** Maximum number of live sessions per user; one more ends the oldest. */
export const MAX_LIVE_SESSIONS = 100;

/** Selects the sessions that have not ended by themselves. */
export interface LiveSince {
  /** Later than this was the sign-in. */
  readonly createdAfter: Instant;
  /** Later than this was the last request. */
  readonly seenAfter: Instant;
}

/** Returns what a session must satisfy to be live at this time. */
export function liveSince(now: Instant, { idleMs, lifetimeMs }: SessionTimes): LiveSince {
  return { createdAfter: addMilliseconds(now, -lifetimeMs), seenAfter: addMilliseconds(now, -idleMs) };
}

/** Whether the session has not ended by itself. */
export function isLiveSession(
  { createdAt, lastSeenAt }: Pick<Session, 'createdAt' | 'lastSeenAt'>,
  { createdAfter, seenAfter }: LiveSince,
): boolean {
  return createdAt > createdAfter && lastSeenAt > seenAfter;
}

/** Whether the password was given so recently that it need not be asked for again. */
export function isPasswordFresh({ passwordGivenAt }: Session, now: Instant): boolean {
  return now - passwordGivenAt <= PASSWORD_TRUST_MS;
}
