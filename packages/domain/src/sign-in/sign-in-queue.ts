import { createFairQueue, type FairQueue } from '../fair-queue.ts';
import { err, type Result } from '../result.ts';
import type { MonotonicClock } from '../time/monotonic-clock.ts';
import type { HashingBusy } from '../users/password-hasher.ts';

export interface SignInQueueLimits {
  /** Sign-ins at work at once. */
  readonly concurrency: number;
  /** Sign-ins that wait, of all networks together. */
  readonly queued: number;
  /** Sign-ins that wait, of one network. */
  readonly queuedPerNetwork: number;
  /** Longest a queued sign-in waits; when its turn comes later, it is refused. In milliseconds. */
  readonly patienceMs: number;
}

export interface NoPlaceForSignIn extends HashingBusy {
  /** `network` where other sign-ins of the same network wait already; `queue` where it is refused because of others. */
  readonly limit: 'network' | 'queue';
}

export interface SignInQueue extends Pick<FairQueue<string>, 'load'> {
  /** Does work of a network when its turn comes, or refuses it: at once, or when it has waited too long. */
  <T>(network: string, work: () => Promise<T>): Promise<Result<T, NoPlaceForSignIn>>;
}

const NO_PLACE = {
  key: err({ code: 'hashing_busy', limit: 'network' } as const),
  queue: err({ code: 'hashing_busy', limit: 'queue' } as const),
};

/** A queue of sign-ins that is fair to networks. */
export function createSignInQueue(limits: SignInQueueLimits, clock: MonotonicClock): SignInQueue {
  const { concurrency, queued, queuedPerNetwork, patienceMs } = limits;
  const queue = createFairQueue<string>({ concurrency, queued, queuedPerKey: queuedPerNetwork });

  async function inTurn<T>(network: string, work: () => Promise<T>): Promise<Result<T, NoPlaceForSignIn>> {
    const since = clock.elapsedMs();
    const admitted = await queue(network, work, () => clock.elapsedMs() - since <= patienceMs);
    return admitted.ok ? admitted : NO_PLACE[admitted.error.limit];
  }

  return Object.assign(inTurn, { load: queue.load });
}
