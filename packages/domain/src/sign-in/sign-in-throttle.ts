import type { Result } from '../result.ts';
import type { EmailKey } from '../users/email.ts';

export interface TooManyAttempts {
  readonly code: 'too_many_attempts';
  /** Whose attempts were too many. Callers are not told. */
  readonly limit: 'address' | 'account';
  readonly retryAfterSeconds: number;
}

export interface SignInAttempt {
  readonly email: EmailKey;
  /** The client's IP address. */
  readonly address: string;
}

/**
 * What one client has as its own: an IPv4 address, or the /64 of an IPv6 address, within which a client may choose. The
 * same text for all spellings. Throws on what is no IP address.
 */
export type NetworkOf = (address: string) => string;

/**
 * Limits sign-in attempts, over all nodes together. An attempt is counted before its password is hashed,
 * so that parallel guesses get no further than guesses one by one.
 * Implementations pass `signInThrottleContract`.
 */
export interface SignInThrottle {
  /** Counts the attempt, or refuses it uncounted. */
  admit(attempt: SignInAttempt): Promise<Result<void, TooManyAttempts>>;

  /**
   * Gives the attempt's own count back and forgets the account's failures, never those of the address, which
   * is known to the account from now on.
   */
  succeeded(attempt: SignInAttempt): Promise<void>;
}

/** The rules, with times in milliseconds. */
export interface SignInLimits {
  /** Attempts from one address in a window. */
  readonly address: { readonly attempts: number; readonly windowMs: number };
  /** Consecutive failures of one account, existing or not; after them, one attempt in each pause. */
  readonly account: { readonly failures: number; readonly pauseMs: number };
  /**
   * Attempts in a window from an address that signed in to this account not longer ago than `memoryMs`,
   * whatever failures the account has: who attacks it from elsewhere does not lock its owner out.
   */
  readonly knownAddress: { readonly attempts: number; readonly windowMs: number; readonly memoryMs: number };
}

export const DEFAULT_SIGN_IN_LIMITS: SignInLimits = {
  address: { attempts: 100, windowMs: 15 * 60_000 },
  account: { failures: 100, pauseMs: 60_000 },
  knownAddress: { attempts: 10, windowMs: 15 * 60_000, memoryMs: 90 * 86_400_000 },
};
