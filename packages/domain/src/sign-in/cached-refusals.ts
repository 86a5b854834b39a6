import type { MonotonicClock } from '../time/monotonic-clock.ts';
import type { NetworkOf, SignInAttempt, SignInThrottle, TooManyAttempts } from './sign-in-throttle.ts';

/**
 * Longest a refusal is repeated from memory before one attempt asks the throttle again, in milliseconds. A limit can be
 * lifted before its `Retry-After` ends: an attempt under way gives its count back when it succeeds, and a success
 * on any node clears the account. Such a change holds here after this time at most, and the time of one attempt.
 */
const ASK_AGAIN_MS = 1000;

/** Refusals that are remembered, some hundred bytes each; beyond them the oldest is forgotten, and asked for again. */
const MAX_CACHED_REFUSALS = 10_000;

/** A throttle whose refusals are known for a moment without asking it. */
export interface RefusalCachingThrottle extends SignInThrottle {
  /**
   * The refusal that this attempt would meet. Each second one attempt that is refused finds none, and asks the
   * throttle. Nothing here admits an attempt: only `admit` does.
   */
  cachedRefusal(attempt: SignInAttempt): TooManyAttempts | undefined;
}

export interface RefusalCachePorts {
  readonly networkOf: NetworkOf;
  readonly monotonicClock: MonotonicClock;
}

interface CachedRefusal {
  readonly limit: TooManyAttempts['limit'];
  /** By the monotonic clock, as is the next. */
  readonly retryAt: number;
  askAgainAt: number;
}

/**
 * Remembers what a throttle refused: a network by its own limit, whatever account it tries; and a network at an
 * account by the account's limit, so that networks known to the account, which have attempts of their own, are
 * asked for.
 */
export function cacheRefusals(
  throttle: SignInThrottle,
  { networkOf, monotonicClock }: RefusalCachePorts,
): RefusalCachingThrottle {
  const known = new Map<string, CachedRefusal>();
  const keysOf = ({ email, address }: SignInAttempt) => {
    const network = networkOf(address);
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
    // The others go on being refused while this one asks.
    else refusal.askAgainAt = now + ASK_AGAIN_MS;
    return undefined;
  }

  function remember(key: string, { limit, retryAfterSeconds }: TooManyAttempts): void {
    const now = monotonicClock.elapsedMs();
    // To the end: the first is the oldest.
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
      // The address had room.
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
