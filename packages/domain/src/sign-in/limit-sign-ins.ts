import { err } from '../result.ts';
import { emailKey } from '../users/email.ts';
import type { RefusalCachingThrottle } from './cached-refusals.ts';
import type { SignIn } from './sign-in.ts';
import type { SignInQueue } from './sign-in-queue.ts';
import type { NetworkOf } from './sign-in-throttle.ts';

export interface LimitSignInPorts {
  readonly throttle: Pick<RefusalCachingThrottle, 'cachedRefusal'>;
  readonly queue: SignInQueue;
  readonly networkOf: NetworkOf;
  /** How long to hold back the next refusal, in milliseconds. */
  readonly pace: () => number;
  /**
   * So many refusals are held back at once; more are given without delay. Each takes memory and, while its client stays
   * connected, a connection. A client may close it and ask again, so limits on connections do not bound their number.
   */
  readonly maxHeld: number;
  /** Resolves after so many milliseconds. */
  readonly pause: (milliseconds: number) => Promise<void>;
}

/**
 * Has sign-ins wait for their turn before they do anything, or be refused before that: they are not counted as
 * attempts then. Were hashing alone bounded, a crowd would first be counted, one after the other on the same rows,
 * and whatever else needs the database would wait behind it. What the throttle is known to refuse is refused before
 * it takes a place in the queue. Those refusals are given no faster than the pace, and so are those of the queue to a
 * network that has sign-ins in it already. Who is refused because of others is told at once.
 */
export function limitSignIns(
  signIn: SignIn,
  { throttle, queue, networkOf, pace, maxHeld, pause }: LimitSignInPorts,
): SignIn {
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

  return async (input) => {
    const { email, address } = input;
    const refusal = throttle.cachedRefusal({ email: emailKey(email), address });
    if (refusal) {
      await holdBack();
      return err(refusal);
    }
    const admitted = await queue(networkOf(address), () => signIn(input));
    if (admitted.ok) return admitted.value;
    // Answered at once, the clients of one network would ask again at once and leave the event loop no time for others.
    if (admitted.error.limit === 'network') await holdBack();
    return admitted;
  };
}
