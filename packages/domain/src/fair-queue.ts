import { err, ok, type Result } from './result.ts';

export interface FairQueueLimits {
  /** Pieces of work under way at once. */
  readonly concurrency: number;
  /** Pieces of work that wait, of all keys together. */
  readonly queued: number;
  /** Pieces of work that wait, of one key. */
  readonly queuedPerKey: number;
}

export interface NoPlaceInQueue {
  readonly code: 'no_place_in_queue';
  /** `key` where other work of the same key waits already; `queue` where it is refused because of others. */
  readonly limit: 'key' | 'queue';
}

export interface FairQueue<Key> {
  /**
   * Does work of a key when its turn comes, or refuses it: at once where it has no place, and when its turn comes
   * where `isWanted` then answers false. Rejects as the work does.
   */
  <T>(key: Key, work: () => Promise<T>, isWanted?: () => boolean): Promise<Result<T, NoPlaceInQueue>>;
  /**
   * Begins work at once where there is room, of whichever key; undefined where it would have to wait. Costs less than
   * asking for a turn.
   */
  beginNow<T>(work: () => Promise<T>): Promise<T> | undefined;
  /** Work under way and in the queue now. */
  load(): { readonly active: number; readonly waiting: number };
}

interface QueuedWork {
  isWanted(): boolean;
  begin(): void;
  refuse(limit: NoPlaceInQueue['limit']): void;
}

const NO_PLACE = {
  key: err({ code: 'no_place_in_queue', limit: 'key' } as const),
  queue: err({ code: 'no_place_in_queue', limit: 'queue' } as const),
};
const always = () => true;

/**
 * A queue that is fair to keys (fair queueing, RFC 970): they take turns, so a key that has one piece of work waiting
 * is not behind all those of another. When the queue is full, a key that waits with fewer takes the place of the newest
 * of the key that waits with the most. So work finds room unless its key already has its share, or `queued` other keys
 * wait. While no other key waits, one key may use the whole concurrency.
 */
export function createFairQueue<Key>(limits: FairQueueLimits): FairQueue<Key> {
  /** By key, oldest first. The first key has the next turn. */
  const queues = new Map<Key, QueuedWork[]>();
  let active = 0;
  let waiting = 0;

  function begin<T>(work: () => Promise<T>): Promise<T> {
    active += 1;
    try {
      const working = work();
      working.then(end, end);
      return working;
    } catch (error) {
      end();
      return Promise.reject(error);
    }
  }

  function end(): void {
    active -= 1;
    beginNext();
  }

  function beginNext(): void {
    while (active < limits.concurrency) {
      const next = takeNext();
      if (!next) return;
      if (next.isWanted()) next.begin();
      else next.refuse('queue');
    }
  }

  function takeNext(): QueuedWork | undefined {
    for (const [key, queue] of queues) {
      queues.delete(key);
      const next = queue.shift();
      // Its next turn comes after those of all other keys.
      if (queue.length > 0) queues.set(key, queue);
      waiting -= 1;
      return next;
    }
    return undefined;
  }

  function hasRoomFor(key: Key): boolean {
    const own = queues.get(key)?.length ?? 0;
    if (own >= limits.queuedPerKey) return false;
    if (waiting < limits.queued) return true;
    const longest = [...queues.values()].reduce(
      (one, other) => (other.length > one.length ? other : one),
      [],
    );
    if (longest.length <= own + 1) return false;
    longest.pop()?.refuse('key');
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
    // Where there is room, nothing waits.
    if (active < limits.concurrency) return ok(await begin(work));
    if (!hasRoomFor(key)) return queues.has(key) ? NO_PLACE.key : NO_PLACE.queue;
    const { promise, resolve, reject } = Promise.withResolvers<Result<T, NoPlaceInQueue>>();
    enqueue(key, {
      isWanted,
      begin: () => void begin(work).then((value) => resolve(ok(value)), reject),
      refuse: (limit) => resolve(NO_PLACE[limit]),
    });
    return promise;
  }

  return Object.assign(queued, {
    beginNow: <T>(work: () => Promise<T>) => (active < limits.concurrency ? begin(work) : undefined),
    load: () => ({ active, waiting }),
  });
}
