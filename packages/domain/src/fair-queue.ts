import { err, ok, type Result } from './result.ts';

export interface FairQueueLimits {
  /** Maximum number of concurrent tasks. */
  readonly concurrency: number;
  /** Maximum number of concurrent tasks of one key. Default: as many as of all. */
  readonly concurrencyPerKey?: number;
  /** Maximum number of waiting tasks of all keys together. */
  readonly queued: number;
  /** Maximum number of waiting tasks of one key. */
  readonly queuedPerKey: number;
}

/** Why a task has no place. */
export interface NoPlaceInQueue {
  readonly code: 'no_place_in_queue';
  /** `key` if other tasks of the same key are waiting; `queue` if tasks of other keys fill the queue. */
  readonly limit: 'key' | 'queue';
}

export interface FairQueue<Key> {
  /**
   * Runs the task when its key has a turn. It is refused at once if the queue has no room for it, and at its turn if
   * `isWanted` then returns false. Rejects as the task does.
   */
  <T>(key: Key, work: () => Promise<T>, isWanted?: () => boolean): Promise<Result<T, NoPlaceInQueue>>;
  /**
   * Runs the task at once if it need not wait; otherwise returns undefined. Costs less than waiting for a turn.
   */
  beginNow<T>(key: Key, work: () => Promise<T>): Promise<T> | undefined;
  /** The numbers of running and waiting tasks. */
  load(): { readonly active: number; readonly waiting: number };
}

interface QueuedWork {
  isWanted(): boolean;
  /** Says that its turn has come, or what limit refuses it. */
  decide(refusedBy?: NoPlaceInQueue['limit']): void;
}

const NO_PLACE = {
  key: err({ code: 'no_place_in_queue', limit: 'key' } as const),
  queue: err({ code: 'no_place_in_queue', limit: 'queue' } as const),
};
const always = () => true;

/**
 * A queue that is fair to keys (fair queueing, RFC 970): they take turns, so a key with one waiting task
 * is not behind all tasks of another. When the queue is full, a new task replaces the newest one of the key with the
 * most waiting tasks, if its own key has fewer. So a task is refused only if its key already has its share, or if
 * `queued` other keys are waiting. While no other key waits, one key can use the whole concurrency, unless
 * `concurrencyPerKey` leaves some of it to the next one.
 */
export function createFairQueue<Key>(limits: FairQueueLimits): FairQueue<Key> {
  const { concurrencyPerKey = limits.concurrency } = limits;
  const isPerKey = concurrencyPerKey < limits.concurrency;
  /** Running tasks by key, if their number is limited. */
  const running = new Map<Key, number>();
  /** Waiting tasks by key, oldest first. The first key has the next turn. */
  const queues = new Map<Key, QueuedWork[]>();
  let active = 0;
  let waiting = 0;

  const hasTurn = (key: Key) =>
    active < limits.concurrency && (!isPerKey || (running.get(key) ?? 0) < concurrencyPerKey);

  function takePlace(key: Key): void {
    active += 1;
    if (isPerKey) running.set(key, (running.get(key) ?? 0) + 1);
  }

  function begin<T>(key: Key, work: () => Promise<T>): Promise<T> {
    takePlace(key);
    return run(key, work);
  }

  /** Runs a task that has its place. */
  function run<T>(key: Key, work: () => Promise<T>): Promise<T> {
    const end = () => endOf(key);
    try {
      const working = work();
      working.then(end, end);
      return working;
    } catch (error) {
      end();
      return Promise.reject(error);
    }
  }

  function endOf(key: Key): void {
    active -= 1;
    const left = (running.get(key) ?? 0) - 1;
    if (left > 0) running.set(key, left);
    else running.delete(key);
    beginNext();
  }

  function beginNext(): void {
    while (active < limits.concurrency) {
      const next = takeNext();
      if (!next) return;
      if (next.work.isWanted()) {
        takePlace(next.key);
        next.work.decide();
      } else next.work.decide('queue');
    }
  }

  function takeNext(): { readonly key: Key; readonly work: QueuedWork } | undefined {
    for (const [key, queue] of queues) {
      if (!hasTurn(key)) continue;
      queues.delete(key);
      const work = queue.shift() as QueuedWork;
      // Moves the key behind all others.
      if (queue.length > 0) queues.set(key, queue);
      waiting -= 1;
      return { key, work };
    }
    return undefined;
  }

  function hasRoomFor(key: Key): boolean {
    const own = queues.get(key)?.length ?? 0;
    if (own >= limits.queuedPerKey) return false;
    if (waiting < limits.queued) return true;
    // Each has one task, as in a flood from many networks: comparing 256 took 4 µs of each refusal.
    if (waiting === queues.size) return false;
    const longest = [...queues.values()].reduce(
      (one, other) => (other.length > one.length ? other : one),
      [],
    );
    if (longest.length <= own + 1) return false;
    longest.pop()?.decide('key');
    waiting -= 1;
    return true;
  }

  function enqueue(key: Key, work: QueuedWork): void {
    const queue = queues.get(key);
    if (queue) queue.push(work);
    else queues.set(key, [work]);
    waiting += 1;
  }

  async function queued<T>(
    key: Key,
    work: () => Promise<T>,
    isWanted = always,
  ): Promise<Result<T, NoPlaceInQueue>> {
    // A free slot means that no task is waiting which could have it.
    if (hasTurn(key)) return ok(await begin(key, work));
    if (!hasRoomFor(key)) return queues.has(key) ? NO_PLACE.key : NO_PLACE.queue;
    const { promise: turn, resolve: decide } = Promise.withResolvers<NoPlaceInQueue['limit'] | undefined>();
    enqueue(key, { isWanted, decide });
    const refusedBy = await turn;
    // From here and not from where the turn was given, so that it runs in the asynchronous context of its own caller.
    return refusedBy === undefined ? ok(await run(key, work)) : NO_PLACE[refusedBy];
  }

  return Object.assign(queued, {
    beginNow: <T>(key: Key, work: () => Promise<T>) => (hasTurn(key) ? begin(key, work) : undefined),
    load: () => ({ active, waiting }),
  });
}
