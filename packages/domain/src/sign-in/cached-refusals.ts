import { clientNetwork } from '../ip-address.ts';
import type { MonotonicClock } from '../time/clock.ts';
import type { SignInAttempt, SignInThrottle, TooManyAttempts } from './sign-in-throttle.ts';

/**
 * How long a refusal is answered from the cache before one attempt asks the throttle again, in milliseconds. The
 * throttle may accept attempts before the refusal's `Retry-After`, because a successful sign-in on any server removes
 * its own attempt and the failures of its account from the counts. The cache notices this with the next attempt after
 * this time.
 */
const ASK_AGAIN_MS = 1000;

/** Maximum number of cached refusals, a few hundred bytes each. When the cache is full, it drops the oldest refusal. */
const MAX_CACHED_REFUSALS = 10_000;

/** A throttle that caches its refusals for a short time. */
export interface RefusalCachingThrottle extends SignInThrottle {
  /**
   * Returns the cached refusal for this attempt; undefined if there is none. Once per second, returns undefined for one
   * attempt, so that `admit` asks the throttle again. The cache itself never admits an attempt.
   */
  cachedRefusal(attempt: SignInAttempt): TooManyAttempts | undefined;
}

interface CachedRefusal {
  readonly limit: TooManyAttempts['limit'];
  /** The time at which the limit ends. Like `askAgainAt`, a time of the monotonic clock. */
  readonly retryAt: number;
  askAgainAt: number;
}

/**
 * Caches the refusals of a throttle. If a network has reached its limit, all attempts from this network get the cached
 * refusal. If an account has reached its limit, only attempts for this account from the same network get the cached
 * refusal, because a network from which the user has signed in before has its own limit.
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
    // This attempt asks the throttle. Meanwhile, other attempts are still refused from the cache.
    else refusal.askAgainAt = now + ASK_AGAIN_MS;
    return undefined;
  }

  function remember(key: string, { limit, retryAfterSeconds }: TooManyAttempts): void {
    const now = monotonicClock.elapsedMs();
    // Moves the entry to the end of the map, because the first entry is dropped as the oldest.
    known.delete(key);
    known.set(key, { limit, retryAt: now + 1000 * retryAfterSeconds, askAgainAt: now + ASK_AGAIN_MS });
    if (known.size > MAX_CACHED_REFUSALS) known.delete(known.keys().next().value ?? key);
  }

  function forget(attempt: SignInAttempt): void {
    const { network, account } = keysOf(attempt);
    known.delete(network);
    known.delete(account);
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
      // The attempt was not refused by the limit of its network, so that limit no longer applies.
      known.delete(network);
      if (admitted.ok) known.delete(account);
      else remember(account, admitted.error);
      return admitted;
    },

    async succeeded(attempt) {
      await throttle.succeeded(attempt);
      forget(attempt);
    },

    async release(attempt) {
      await throttle.release(attempt);
      forget(attempt);
    },
  };
}
