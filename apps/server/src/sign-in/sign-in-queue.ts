import { err, ok } from '@gatehouse/domain';
import type { SignInQueue } from '@gatehouse/domain/sign-in';
import type { MonotonicClock } from '@gatehouse/domain/time';
import { createFairQueue } from '@gatehouse/queues';

export interface SignInQueueLimits {
  /** Maximum number of concurrent sign-ins. */
  readonly concurrency: number;
  /** Maximum number of queued sign-ins of all networks together. */
  readonly queued: number;
  /** Maximum number of queued sign-ins of one network. */
  readonly queuedPerNetwork: number;
  /** The longest wait of a sign-in, in milliseconds. After it the sign-in is refused at its turn. */
  readonly maxWaitMs: number;
}

const BUSY = {
  key: err({ code: 'hashing_busy', limit: 'network' } as const),
  queue: err({ code: 'hashing_busy', limit: 'queue' } as const),
  time: err({ code: 'hashing_busy', limit: 'queue' } as const),
};

/** Creates a queue of sign-ins that is fair to networks. */
export function createSignInQueue(
  { concurrency, queued, queuedPerNetwork, maxWaitMs }: SignInQueueLimits,
  clock: MonotonicClock,
) {
  const queue = createFairQueue<string>({ concurrency, queued, queuedPerKey: queuedPerNetwork });
  const enter: SignInQueue['enter'] = async (network) => {
    const since = clock.elapsedMs();
    const refusal = await queue.enter(network, { isWanted: () => clock.elapsedMs() - since <= maxWaitMs });
    return refusal ? BUSY[refusal.limit] : ok({ [Symbol.dispose]: () => queue.leave(network) });
  };
  return { enter, load: queue.load };
}
