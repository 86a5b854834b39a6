import { createTurnOrder } from './turn-order.ts';

export interface FairQueueLimits {
  /** The largest number of callers that may work at the same time. */
  readonly concurrency: number;
  /** Maximum number of callers of one key that may work at the same time. Default: `concurrency`. */
  readonly concurrencyPerKey?: number;
  /** Maximum number of waiting callers of all keys together. */
  readonly queued: number;
  /** Maximum number of waiting callers of one key. */
  readonly queuedPerKey: number;
}

/** Limits on the wait of a caller. */
export interface WaitOptions {
  /**
   * Called once, when it is the caller's turn to work. If it returns false, the caller is refused and the next waiting
   * caller may work.
   */
  readonly isWanted?: () => boolean;
  /** The longest time that the caller waits, in milliseconds. Default: no limit. */
  readonly waitMs?: number;
}

/**
 * The reason why a caller may not work. `key`: too many callers of the same key are waiting. `queue`: callers of other
 * keys fill the queue. `time`: the caller's turn to work did not come within `waitMs`, or `isWanted` returned false.
 */
export type NoPlaceInQueue = 'key' | 'queue' | 'time';

/** A caller that waits until it may work. */
interface Waiting<Key> {
  readonly key: Key;
  readonly isWanted: (() => boolean) | undefined;
  /**
   * Ends the wait of the caller. Without an argument, the caller may work; otherwise it is refused, and the argument is
   * the reason.
   */
  decide(refusal: NoPlaceInQueue | undefined): void;
}

/**
 * Creates a queue that limits how many callers work at the same time. Each caller has a key, such as a user. The queue
 * is fair to keys (fair queueing, RFC 970): when waiting callers may work, one caller of each key is chosen in turn, so
 * a key with one caller does not wait for all callers of another key.
 *
 * If the queue is full, a new caller replaces the newest waiting caller of the key with the most waiting callers. The
 * new caller's key must have fewer waiting callers, even after the replacement; otherwise the new caller is refused.
 *
 * If no other key waits, all working callers may have the same key. If `concurrencyPerKey` is less than `concurrency`,
 * callers of one key leave room for working callers of other keys.
 */
export function createFairQueue<Key>(limits: FairQueueLimits) {
  const { concurrencyPerKey = limits.concurrency } = limits;
  const isPerKey = concurrencyPerKey < limits.concurrency;
  /** The number of working callers by key. It stays empty if `concurrencyPerKey` does not limit that number. */
  const taken = new Map<Key, number>();
  const order = createTurnOrder<Key, Waiting<Key>>();
  let active = 0;

  const mayGo = isPerKey ? (key: Key) => (taken.get(key) ?? 0) < concurrencyPerKey : undefined;

  function take(key: Key): void {
    active += 1;
    if (isPerKey) taken.set(key, (taken.get(key) ?? 0) + 1);
  }

  /**
   * Returns whether the caller may work now. If it may, it counts as working until `leave` is called. This is faster
   * than `enter`.
   */
  function enterNow(key: Key): boolean {
    // The new caller overtakes no waiting caller: as soon as a caller ends its work, a waiting caller begins, if one
    // may work.
    if (active >= limits.concurrency || mayGo?.(key) === false) return false;
    take(key);
    return true;
  }

  /** Counts a caller of this key as working no longer, so that the next waiting caller may work. */
  function leave(key: Key): void {
    active -= 1;
    if (isPerKey) {
      const left = (taken.get(key) ?? 0) - 1;
      if (left > 0) taken.set(key, left);
      else taken.delete(key);
    }
    admitNext();
  }

  function admitNext(): void {
    while (active < limits.concurrency) {
      const next = order.next(mayGo);
      if (!next) return;
      const isWanted = next.isWanted?.() ?? true;
      if (isWanted) take(next.key);
      next.decide(isWanted ? undefined : 'time');
    }
  }

  function hasRoomFor(key: Key): boolean {
    const own = order.sizeOf(key);
    if (own >= limits.queuedPerKey) return false;
    if (order.size() < limits.queued) return true;
    // If each key has one waiting caller, no caller can be replaced. Checking this here saves the search for the
    // longest queue, which takes 4 µs with 256 keys.
    if (order.size() === order.keys()) return false;
    const replaced = order.removeNewestOfLongest(own + 1);
    replaced?.decide('key');
    return replaced !== undefined;
  }

  /**
   * Waits until the caller may work, and then resolves with undefined. If the caller is refused, resolves with the
   * reason. If the queue is full, the caller is refused at once.
   */
  async function enter(
    key: Key,
    { isWanted, waitMs }: WaitOptions = {},
  ): Promise<NoPlaceInQueue | undefined> {
    if (enterNow(key)) return undefined;
    if (!hasRoomFor(key)) return order.sizeOf(key) > 0 ? 'key' : 'queue';
    const { promise, resolve: decide } = Promise.withResolvers<NoPlaceInQueue | undefined>();
    const waiting = { key, isWanted, decide };
    order.add(key, waiting);
    if (waitMs === undefined) return promise;
    const timer = setTimeout(() => order.remove(key, waiting) && decide('time'), waitMs);
    return promise.finally(() => clearTimeout(timer));
  }

  /** Does the work of a caller that may work now. When the work ends, the next waiting caller may work. */
  function work<T>(key: Key, doing: () => Promise<T>): Promise<T> {
    const end = () => leave(key);
    try {
      const working = doing();
      working.then(end, end);
      return working;
    } catch (error) {
      end();
      return Promise.reject(error);
    }
  }

  return {
    enterNow,
    enter,
    leave,
    /**
     * Waits until the caller may work, and does the work. If the caller is refused, the work is not done, and the
     * result is an error with the reason. Rejects if the work rejects.
     */
    async run<T>(key: Key, doing: () => Promise<T>, wait?: WaitOptions) {
      const error = enterNow(key) ? undefined : await enter(key, wait);
      return error ? ({ ok: false, error } as const) : ({ ok: true, value: await work(key, doing) } as const);
    },
    /** If the caller may work now, begins the work and returns its promise. Otherwise returns undefined. */
    runNow: <T>(key: Key, doing: () => Promise<T>) => (enterNow(key) ? work(key, doing) : undefined),
    /** Returns the number of working callers (`active`) and of waiting callers. */
    load: () => ({ active, waiting: order.size() }),
  };
}
