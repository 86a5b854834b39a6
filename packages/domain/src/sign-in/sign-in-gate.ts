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

/**
 * A queue of sign-ins. It serves the networks of the clients in turn, so that one network cannot delay other networks.
 */
export interface SignInQueue {
  /**
   * Waits until this sign-in may begin. When the result is disposed of, this sign-in has ended, and the next sign-in in
   * the queue may begin.
   */
  enter(network: string): Promise<Result<Disposable, NoPlaceForSignIn>>;
}

/** Limits how many passwords are verified at once. */
export interface SignInGate {
  /** Waits until the attempt may begin, or refuses it before anything is read or hashed for it. */
  enter(attempt: SignInAttempt): Promise<Result<Disposable, TooManyAttempts | HashingBusy>>;
}

export interface SignInGatePorts {
  readonly throttle: Pick<RefusalCachingThrottle, 'cachedRefusal'>;
  readonly queue: SignInQueue;
  readonly monotonicClock: MonotonicClock;
  /**
   * Maximum number of refusals that are delayed at the same time. Further refusals are sent immediately. Each delayed
   * refusal takes memory. Connection limits do not bound the number of delayed refusals, because a client can
   * disconnect and try again.
   */
  readonly maxHeld: number;
  /** Resolves after this many milliseconds. */
  readonly pause: (milliseconds: number) => Promise<void>;
}

/**
 * Queues sign-ins before they use the database or hash a password. A sign-in that the queue refuses is not counted as
 * an attempt. If only hashing had a queue, many sign-ins at the same time would first be counted, one after the other
 * in the same rows, and other uses of the database would have to wait. If a refusal of the throttle is cached, the
 * attempt is refused without entering the queue.
 *
 * The rate of two kinds of refusals is limited: refusals from the cache, and refusals to a network that already has
 * sign-ins in the queue. A sign-in that is refused because other networks fill the queue gets its response immediately.
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
      // If refusals to a network that already has sign-ins in the queue were sent immediately, the clients of that
      // network could retry in a loop and keep the event loop busy.
      if (!place.ok && place.error.limit === 'network') await holdBack();
      return place;
    },
  };
}

/**
 * The maximum rate of refusals to networks that make too many attempts, for all networks together. Refusals beyond this
 * rate are delayed. One client that retries after every response costs little, but a thousand such clients would keep
 * the event loop busy.
 */
export const DEFAULT_REFUSAL_RATE = { perSecond: 200, maxDelayMs: 5_000 };

/**
 * Creates a function that returns how long to delay the next refusal, in milliseconds. The delay is 0 while there are
 * no more refusals than `perSecond`.
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
