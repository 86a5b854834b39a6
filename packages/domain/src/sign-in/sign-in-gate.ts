import { clientNetwork } from '../ip-address.ts';
import { err, type Result } from '../result.ts';
import type { MonotonicClock } from '../time/clock.ts';
import type { HashingBusy } from '../users/password-hasher.ts';
import type { RefusalCachingThrottle } from './cached-refusals.ts';
import type { SignInAttempt, TooManyAttempts } from './sign-in-throttle.ts';

interface NoPlaceForSignIn extends HashingBusy {
  /** `network` if other sign-ins of the same network are waiting; `queue` if other networks fill the queue. */
  readonly limit: 'network' | 'queue';
}

/** A queue of sign-ins in which the networks of clients take turns. */
export interface SignInQueue {
  /** Waits for a place. Disposing of the result frees the place. */
  enter(network: string): Promise<Result<Disposable, NoPlaceForSignIn>>;
}

/** Limits how many passwords are verified at once. */
export interface SignInGate {
  /** Waits for a place among the sign-ins in progress, or refuses the attempt before it does any work. */
  enter(attempt: SignInAttempt): Promise<Result<Disposable, TooManyAttempts | HashingBusy>>;
}

export interface SignInGatePorts {
  readonly throttle: Pick<RefusalCachingThrottle, 'cachedRefusal'>;
  readonly queue: SignInQueue;
  readonly monotonicClock: MonotonicClock;
  /**
   * Maximum number of delayed refusals; further ones are sent at once. Each takes memory, and a connection while its client
   * stays connected. A client can disconnect and ask again, so connection limits do not bound their number.
   */
  readonly maxHeld: number;
  /** Resolves after this many milliseconds. */
  readonly pause: (milliseconds: number) => Promise<void>;
}

/**
 * Queues sign-ins before they do any work. A sign-in that the queue refuses is not counted as an attempt. If only
 * hashing were bounded, a burst of sign-ins would first be counted, one after the other on the same rows, and every
 * other use of the database would wait behind it. Attempts that the throttle is known to refuse are refused before the
 * queue. These refusals are rate-limited, and so are the queue's refusals to a network that already has sign-ins in it.
 * A sign-in that is refused because of other networks gets its response at once.
 */
export function createSignInGate({
  throttle,
  queue,
  monotonicClock,
  maxHeld,
  pause,
}: SignInGatePorts): SignInGate {
  const nextDelayMs = createRefusalRateLimit(DEFAULT_REFUSAL_RATE, monotonicClock);
  let held = 0;

  async function holdBack(): Promise<void> {
    if (held >= maxHeld) return;
    const delayMs = nextDelayMs();
    if (delayMs <= 0) return;
    held += 1;
    try {
      await pause(delayMs);
    } finally {
      held -= 1;
    }
  }

  return {
    async enter(attempt) {
      const refusal = throttle.cachedRefusal(attempt);
      if (refusal) {
        await holdBack();
        return err(refusal);
      }
      const place = await queue.enter(clientNetwork(attempt.address));
      // With immediate refusals, the clients of one network would retry in a loop and keep the event loop busy.
      if (!place.ok && place.error.limit === 'network') await holdBack();
      return place;
    },
  };
}

/**
 * Rate of the refusals that networks cause themselves, for all networks together; further ones are delayed. A client that
 * retries after every response costs little each time, but a thousand of them would keep the event loop busy.
 */
export const DEFAULT_REFUSAL_RATE = { perSecond: 200, maxDelayMs: 5_000 };

/**
 * Creates a function that returns how long to delay the next refusal, in milliseconds. The delay is 0 while refusals come
 * no faster than the rate.
 */
export function createRefusalRateLimit(
  { perSecond, maxDelayMs }: typeof DEFAULT_REFUSAL_RATE,
  clock: MonotonicClock,
): () => number {
  const intervalMs = 1000 / perSecond;
  /** The time at which the next refusal may be sent. */
  let nextAt = Number.NEGATIVE_INFINITY;
  return () => {
    const now = clock.elapsedMs();
    const answerAt = Math.min(Math.max(now, nextAt), now + maxDelayMs);
    nextAt = answerAt + intervalMs;
    return answerAt - now;
  };
}
