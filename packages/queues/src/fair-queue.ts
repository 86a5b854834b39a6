import { createTurnOrder } from './turn-order.ts';

export interface FairQueueLimits {
  /** The largest number of places, which is how many callers may work at the same time. */
  readonly concurrency: number;
  /** Maximum number of places that callers of one key occupy at the same time. Default: `concurrency`. */
  readonly concurrencyPerKey?: number;
  /** Maximum number of waiting callers of all keys together. */
  readonly queued: number;
  /** Maximum number of waiting callers of one key. */
  readonly queuedPerKey: number;
}

/** Limits on the wait of a caller. */
export interface WaitOptions {
  /**
   * Called once, when a place is free for the caller. If it returns false, the caller is refused and the next caller
   * gets the place.
   */
  readonly isWanted?: () => boolean;
  /** The longest time that the caller waits, in milliseconds. Default: no limit. */
  readonly waitMs?: number;
}

/**
 * The reason why a caller gets no place. `key`: too many callers of the same key are waiting. `queue`: callers of other
 * keys fill the queue. `time`: no place was free within `waitMs`, or `isWanted` returned false.
 */
export type NoPlaceInQueue = 'key' | 'queue' | 'time';

/** A caller that waits for a place. */
interface Waiting<Key> {
  readonly key: Key;
  readonly isWanted: (() => boolean) | undefined;
  /**
   * Ends the wait: without an argument, the caller has a place; otherwise the argument is the reason why it gets none.
   */
  decide(refusal: NoPlaceInQueue | undefined): void;
}

/**
 * Creates a queue for a limited number of places. Each caller has a key, such as a user. The queue is fair to keys
 * (fair queueing, RFC 970): free places are given to the keys in turn, so a key with one caller does not wait for all
 * callers of another key.
 *
 * If the queue is full, a new caller replaces the newest waiting caller of the key with the most waiting callers. The
 * new caller's key must have fewer waiting callers, even after the replacement; otherwise the new caller is refused.
 *
 * If no other key waits, one key can occupy all places. A `concurrencyPerKey` below `concurrency` reserves the
 * remaining places for other keys.
 */
export function createFairQueue<Key>(limits: FairQueueLimits) {
  const { concurrencyPerKey = limits.concurrency } = limits;
  const isPerKey = concurrencyPerKey < limits.concurrency;
  /** The number of occupied places by key. It is empty if `concurrencyPerKey` does not limit them. */
  const taken = new Map<Key, number>();
  const order = createTurnOrder<Key, Waiting<Key>>();
  let active = 0;

  const mayGo = isPerKey ? (key: Key) => (taken.get(key) ?? 0) < concurrencyPerKey : undefined;

  function take(key: Key): void {
    active += 1;
    if (isPerKey) taken.set(key, (taken.get(key) ?? 0) + 1);
  }

  /** Takes a place if one is free, and returns whether it did. This is faster than `enter`. */
  function enterNow(key: Key): boolean {
    // The new caller overtakes no waiting caller: each place that becomes free is given to a waiting caller at once, if
    // one may take it.
    if (active >= limits.concurrency || mayGo?.(key) === false) return false;
    take(key);
    return true;
  }

  /** Frees a place that a caller of this key occupies, and gives it to the next waiting caller. */
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
   * Waits for a place. Resolves with undefined when the caller has a place, otherwise with the reason why it gets none.
   * If the queue is full, the caller is refused at once.
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

  /** Does work for a caller that has a place, and frees the place when the work ends. */
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
     * Waits for a place, does the work, and frees the place. The result is an error if there was no place. Rejects if
     * the work rejects.
     */
    async run<T>(key: Key, doing: () => Promise<T>, wait?: WaitOptions) {
      const error = enterNow(key) ? undefined : await enter(key, wait);
      return error ? ({ ok: false, error } as const) : ({ ok: true, value: await work(key, doing) } as const);
    },
    /** If a place is free now, does the work in it and returns the promise of the work. Otherwise returns undefined. */
    runNow: <T>(key: Key, doing: () => Promise<T>) => (enterNow(key) ? work(key, doing) : undefined),
    /** Returns the number of occupied places (`active`) and of waiting callers. */
    load: () => ({ active, waiting: order.size() }),
  };
}
