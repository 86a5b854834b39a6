import { clientNetwork } from '../ip-address.ts';
import type { MonotonicClock } from '../time/clock.ts';
import type { SignInAttempt, SignInThrottle, TooManyAttempts } from './sign-in-throttle.ts';

/**
 * How long a refusal is repeated from memory before one attempt asks the throttle again, in milliseconds. A limit can end
 * before its `Retry-After`, because a successful sign-in on any server removes its attempt and the failures of its account from
 * the counts. The cache notices this after at most this time and the duration of one attempt.
 */
const ASK_AGAIN_MS = 1000;

/**
 * Maximum number of cached refusals. A refusal takes some hundred bytes. The cache drops the oldest refusal when it is full.
 */
const MAX_CACHED_REFUSALS = 10_000;

/** A throttle that caches its refusals for a short time. */
export interface RefusalCachingThrottle extends SignInThrottle {
  /**
   * Returns the refusal that the throttle would give this attempt. Once per second, returns undefined for one attempt, which
   * then asks the throttle. Only `admit` admits an attempt, and never the cache.
   */
  cachedRefusal(attempt: SignInAttempt): TooManyAttempts | undefined;
}

interface CachedRefusal {
  readonly limit: TooManyAttempts['limit'];
  /** Monotonic time, as is `askAgainAt`. */
  readonly retryAt: number;
  askAgainAt: number;
}

/**
 * Caches refusals. A refusal by the limit of a network is repeated to all attempts from this network. A refusal by the limit of
 * an account is repeated to attempts for this account from the same network, because networks from which the user has signed in
 * have a limit of their own.
 */
export function cacheRefusals(
  throttle: SignInThrottle,
  { monotonicClock }: { readonly monotonicClock: MonotonicClock },
): RefusalCachingThrottle {
  const known = new Map<string, CachedRefusal>();
  const keysOf = ({ email, address }: SignInAttempt) => {
    const network = clientNetwork(address);
    return { network, account: `${network} ${email}` };
  };

  function find(key: string): TooManyAttempts | undefined {
    const refusal = known.get(key);
    if (!refusal) return undefined;
    const now = monotonicClock.elapsedMs();
    if (now < refusal.askAgainAt) {
      const retryAfterSeconds = Math.max(1, Math.ceil((refusal.retryAt - now) / 1000));
      return { code: 'too_many_attempts', limit: refusal.limit, retryAfterSeconds };
    }
    if (now >= refusal.retryAt) known.delete(key);
    // While this attempt asks the throttle, other attempts are still refused from the cache.
    else refusal.askAgainAt = now + ASK_AGAIN_MS;
    return undefined;
  }

  function remember(key: string, { limit, retryAfterSeconds }: TooManyAttempts): void {
    const now = monotonicClock.elapsedMs();
    // Moves the entry to the end, since the first is the oldest.
    known.delete(key);
    known.set(key, { limit, retryAt: now + 1000 * retryAfterSeconds, askAgainAt: now + ASK_AGAIN_MS });
    if (known.size > MAX_CACHED_REFUSALS) known.delete(known.keys().next().value ?? key);
  }

  return {
    cachedRefusal(attempt) {
      const { network, account } = keysOf(attempt);
      return find(network) ?? find(account);
    },

    async admit(attempt) {
      const admitted = await throttle.admit(attempt);
      const { network, account } = keysOf(attempt);
      if (!admitted.ok && admitted.error.limit === 'address') {
        remember(network, admitted.error);
        return admitted;
      }
      // A refusal by the account's limit means that the address is below its own limit.
      known.delete(network);
      if (admitted.ok) known.delete(account);
      else remember(account, admitted.error);
      return admitted;
    },

    async succeeded(attempt) {
      await throttle.succeeded(attempt);
      const { network, account } = keysOf(attempt);
      known.delete(network);
      known.delete(account);
    },
  };
}
