import { err, type Result } from '../result.ts';
import type { HashingBusy } from '../users/password-hasher.ts';
import type { RefusalCachingThrottle } from './cached-refusals.ts';
import type { SignInQueue } from './sign-in-queue.ts';
import { attemptOf, type NetworkOf, type TooManyAttempts } from './sign-in-throttle.ts';

export interface LimitSignInPorts {
  readonly throttle: Pick<RefusalCachingThrottle, 'cachedRefusal'>;
  readonly queue: SignInQueue;
  readonly networkOf: NetworkOf;
  /** Returns how long to delay the next refusal, in milliseconds. */
  readonly pace: () => number;
  /**
   * Maximum number of delayed refusals; further ones are sent at once. Each takes memory and, while its client stays
   * connected, a connection. A client can disconnect and ask again, so connection limits do not bound their number.
   */
  readonly maxHeld: number;
  /** Resolves after this many milliseconds. */
  readonly pause: (milliseconds: number) => Promise<void>;
}

/** Does the work of one attempt, whose email and IP address it gets, or refuses it. */
export type LimitSignIn = <T, E>(
  attempt: { readonly email: string; readonly address: string },
  work: () => Promise<Result<T, E>>,
) => Promise<Result<T, E | TooManyAttempts | HashingBusy>>;

/**
 * Queues sign-ins before they do any work. A sign-in that the queue refuses is not counted as an attempt. If only
 * hashing were bounded, a burst of sign-ins would first be counted, one after the other on the same rows, and every
 * other use of the database would wait behind it. What the throttle is known to refuse is refused before it is
 * queued. These refusals are rate-limited, and so are the queue's refusals to a network that already has sign-ins
 * in it. A sign-in that is refused because of other networks gets its response at once.
 */
export function limitSignIns({
  throttle,
  queue,
  networkOf,
  pace,
  maxHeld,
  pause,
}: LimitSignInPorts): LimitSignIn {
  let held = 0;

  async function holdBack(): Promise<void> {
    if (held >= maxHeld) return;
    const delayMs = pace();
    if (delayMs <= 0) return;
    held += 1;
    try {
      await pause(delayMs);
    } finally {
      held -= 1;
    }
  }

  return async (input, work) => {
    const refusal = throttle.cachedRefusal(attemptOf(input.email, input.address));
    if (refusal) {
      await holdBack();
      return err(refusal);
    }
    const admitted = await queue(networkOf(input.address), work);
    if (admitted.ok) return admitted.value;
    // With immediate refusals, the clients of one network would retry in a loop and keep the event loop busy.
    if (admitted.error.limit === 'network') await holdBack();
    return admitted;
  };
}
