import type { Result } from '../result.ts';
import { type EmailKey, emailKey } from '../users/email.ts';

export interface TooManyAttempts {
  readonly code: 'too_many_attempts';
  /** The limit that was reached. The response does not contain it. */
  readonly limit: 'address' | 'account';
  readonly retryAfterSeconds: number;
}

export interface SignInAttempt {
  readonly email: EmailKey;
  /** The client's IP address. */
  readonly address: string;
}

/**
 * Returns the attempt to count. Text without an @ counts as an empty email: it may be a password in the wrong field, and
 * passwords must not be stored.
 */
export function attemptOf(email: string, address: string): SignInAttempt {
  const key = emailKey(email);
  return { email: key.includes('@') ? key : emailKey(''), address };
}

/**
 * Limits sign-in attempts across all nodes. An attempt is counted before its password is hashed, so parallel guesses gain
 * nothing over guesses one by one.
 * Implementations pass `signInThrottleContract`.
 */
export interface SignInThrottle {
  /** Counts the attempt, or refuses it without counting it. */
  admit(attempt: SignInAttempt): Promise<Result<void, TooManyAttempts>>;

  /**
   * Removes the attempt from the count of its address, and clears the failures of the account. The other attempts of the
   * address still count. From now on, the address is a known one of the account.
   */
  succeeded(attempt: SignInAttempt): Promise<void>;
}

/** The rules, with times in milliseconds. */
export interface SignInLimits {
  /** Attempts from one address in a window. */
  readonly address: { readonly attempts: number; readonly windowMs: number };
  /**
   * The number of consecutive failures for one email, whether or not a user has this email. After that many failures, one
   * attempt per pause is allowed.
   */
  readonly account: { readonly failures: number; readonly pauseMs: number };
  /**
   * Attempts in a window from an address that signed in to this account within the last `memoryMs`, regardless of the
   * account's failures. So an attack from elsewhere does not lock the owner out.
   */
  readonly knownAddress: { readonly attempts: number; readonly windowMs: number; readonly memoryMs: number };
}

export const DEFAULT_SIGN_IN_LIMITS: SignInLimits = {
  address: { attempts: 100, windowMs: 15 * 60_000 },
  account: { failures: 100, pauseMs: 60_000 },
  knownAddress: { attempts: 10, windowMs: 15 * 60_000, memoryMs: 90 * 86_400_000 },
};
