import { err, ok, type Result } from '../result.ts';
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

export interface NoPlaceInQueue extends HashingBusy {
  /** `network` where other sign-ins of the same network wait already; `queue` where it is refused because of others. */
  readonly limit: 'network' | 'queue';
}

export interface SignInQueue {
  /** Does work of a network when its turn comes, or refuses it: at once, or when it has waited too long. */
  <T>(network: string, work: () => Promise<T>): Promise<Result<T, NoPlaceInQueue>>;
  /** Sign-ins at work and in the queue now. */
  load(): { readonly active: number; readonly waiting: number };
}

interface QueuedSignIn {
  readonly since: number;
  begin(): void;
  refuse(limit: NoPlaceInQueue['limit']): void;
}

const NO_PLACE = {
  network: err({ code: 'hashing_busy', limit: 'network' } as const),
  queue: err({ code: 'hashing_busy', limit: 'queue' } as const),
};

/**
 * A queue that is fair to networks (fair queueing, RFC 970): they take turns, so a network that has one sign-in
 * waiting is not behind all those of another. When the queue is full, a network that waits with fewer sign-ins takes
 * the place of the newest of the network that waits with the most. So a sign-in finds room unless its network
 * already has its share, or `queued` other networks wait.
 */
export function createSignInQueue(limits: SignInQueueLimits, clock: MonotonicClock): SignInQueue {
  /** By network, oldest first. The first network has the next turn. */
  const queues = new Map<string, QueuedSignIn[]>();
  let active = 0;
  let waiting = 0;

  async function begin<T>(work: () => Promise<T>): Promise<Result<T, never>> {
    active += 1;
    try {
      return ok(await work());
    } finally {
      active -= 1;
      beginNext();
    }
  }

  function beginNext(): void {
    while (active < limits.concurrency) {
      const next = takeNext();
      if (!next) return;
      if (clock.elapsedMs() - next.since > limits.patienceMs) next.refuse('queue');
      else next.begin();
    }
  }

  function takeNext(): QueuedSignIn | undefined {
    for (const [network, queue] of queues) {
      queues.delete(network);
      const next = queue.shift();
      // Its next turn comes after those of all other networks.
      if (queue.length > 0) queues.set(network, queue);
      waiting -= 1;
      return next;
    }
    return undefined;
  }

  function hasRoomFor(network: string): boolean {
    const own = queues.get(network)?.length ?? 0;
    if (own >= limits.queuedPerNetwork) return false;
    if (waiting < limits.queued) return true;
    const longest = [...queues.values()].reduce(
      (one, other) => (other.length > one.length ? other : one),
      [],
    );
    if (longest.length <= own + 1) return false;
    longest.pop()?.refuse('network');
    waiting -= 1;
    return true;
  }

  function enqueue(network: string, signIn: QueuedSignIn): void {
    const queue = queues.get(network);
    if (queue) queue.push(signIn);
    else queues.set(network, [signIn]);
    waiting += 1;
  }

  async function queued<T>(network: string, work: () => Promise<T>): Promise<Result<T, NoPlaceInQueue>> {
    if (active < limits.concurrency) return begin(work);
    if (!hasRoomFor(network)) return queues.has(network) ? NO_PLACE.network : NO_PLACE.queue;
    const { promise, resolve, reject } = Promise.withResolvers<Result<T, NoPlaceInQueue>>();
    enqueue(network, {
      since: clock.elapsedMs(),
      begin: () => void begin(work).then(resolve, reject),
      refuse: (limit) => resolve(NO_PLACE[limit]),
    });
    return promise;
  }

  return Object.assign(queued, { load: () => ({ active, waiting }) });
}
