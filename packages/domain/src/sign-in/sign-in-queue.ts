import { createFairQueue, type FairQueue } from '../fair-queue.ts';
import { err, type Result } from '../result.ts';
import type { MonotonicClock } from '../time/clock.ts';
import type { HashingBusy } from '../users/password-hasher.ts';

export interface SignInQueueLimits {
  /** Maximum number of concurrent sign-ins. */
  readonly concurrency: number;
  /** Maximum number of queued sign-ins of all networks together. */
  readonly queued: number;
  /** Maximum number of queued sign-ins of one network. */
  readonly queuedPerNetwork: number;
  /** Longest a sign-in waits before it is refused at its turn, in milliseconds. */
  readonly maxWaitMs: number;
}

interface NoPlaceForSignIn extends HashingBusy {
  /** `network` if other sign-ins of the same network are waiting; `queue` if other networks fill the queue. */
  readonly limit: 'network' | 'queue';
}

export interface SignInQueue extends Pick<FairQueue<string>, 'load'> {
  /** Runs a network's task at its turn, or refuses it: at once, or at its turn if it has waited too long. */
  <T>(network: string, work: () => Promise<T>): Promise<Result<T, NoPlaceForSignIn>>;
}

const NO_PLACE = {
  key: err({ code: 'hashing_busy', limit: 'network' } as const),
  queue: err({ code: 'hashing_busy', limit: 'queue' } as const),
};

/** Creates a queue of sign-ins that is fair to networks. */
export function createSignInQueue(limits: SignInQueueLimits, clock: MonotonicClock): SignInQueue {
  const { concurrency, queued, queuedPerNetwork, maxWaitMs } = limits;
  const queue = createFairQueue<string>({ concurrency, queued, queuedPerKey: queuedPerNetwork });

  async function inTurn<T>(network: string, work: () => Promise<T>): Promise<Result<T, NoPlaceForSignIn>> {
    const since = clock.elapsedMs();
    const admitted = await queue(network, work, () => clock.elapsedMs() - since <= maxWaitMs);
    return admitted.ok ? admitted : NO_PLACE[admitted.error.limit];
  }

  return Object.assign(inTurn, { load: queue.load });
}
