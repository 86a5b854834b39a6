import type { Result } from '../result.ts';
import { type EmailKey, emailKey } from '../users/email.ts';

export interface TooManyAttempts {
  readonly code: 'too_many_attempts';
  /** The limit that was reached. The response does not say which limit it was. */
  readonly limit: 'address' | 'account';
  readonly retryAfterSeconds: number;
}

export interface SignInAttempt {
  readonly email: EmailKey;
  /** The client's IP address. */
  readonly address: string;
}

/**
 * Returns the attempt to count. Text without an @ counts as an empty email: it may be a password in the wrong field,
 * and passwords must not be stored.
 */
export function attemptOf(email: string, address: string): SignInAttempt {
  const key = emailKey(email);
  return { email: key.includes('@') ? key : emailKey(''), address };
}

/**
 * Limits sign-in attempts across all nodes. An attempt is counted before its password is hashed. So a client cannot
 * make more guesses by sending them in parallel.
 * Implementations pass `signInThrottleContract`.
 */
export interface SignInThrottle {
  /** Counts the attempt, or refuses it without counting it. */
  admit(attempt: SignInAttempt): Promise<Result<void, TooManyAttempts>>;

  /**
   * Removes this attempt from the count of its address, and sets the failures of the account to 0. Other attempts from
   * the address still count. From now on, the address is a known address of the account (see `SignInLimits`).
   */
  succeeded(attempt: SignInAttempt): Promise<void>;

  /**
   * Removes this attempt from the count of its address, and forgets its email. For attempts without a password, whose
   * email is made up for each.
   */
  release(attempt: SignInAttempt): Promise<void>;
}

/** The limits of a throttle, with durations in milliseconds. */
export interface SignInLimits {
  /** The number of attempts that are allowed from one address within `windowMs`. */
  readonly address: { readonly attempts: number; readonly windowMs: number };
  /**
   * The number of consecutive failures that are allowed for one email, whether or not a user has this email. After that
   * many failures, only one attempt per `pauseMs` is allowed.
   */
  readonly account: { readonly failures: number; readonly pauseMs: number };
  /**
   * The number of attempts within `windowMs` that are allowed from a known address, that is, one from which the user
   * signed in to this account within the last `memoryMs`. The account's failures do not matter for these attempts. So
   * an attack from another address does not lock the user out.
   */
  readonly knownAddress: { readonly attempts: number; readonly windowMs: number; readonly memoryMs: number };
}

export const DEFAULT_SIGN_IN_LIMITS: SignInLimits = {
  address: { attempts: 100, windowMs: 15 * 60_000 },
  account: { failures: 100, pauseMs: 60_000 },
  knownAddress: { attempts: 10, windowMs: 15 * 60_000, memoryMs: 90 * 86_400_000 },
};
