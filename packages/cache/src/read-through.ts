import type { Awaitable } from '@gatehouse/domain';
import type { Change, ChangeFeed, FreshnessCheck } from '@gatehouse/domain/changes';
import type { ChangeLog } from './change-log.ts';

/** The number of reads of a cache since it was created, by outcome. */
export interface CacheReads {
  readonly hit: number;
  readonly miss: number;
  /** The entries might have been outdated: the database was read as if there were no cache. */
  readonly bypassed: number;
}

/** The counters, which the cache itself increments. */
export type CacheReadCounts = { -readonly [Outcome in keyof CacheReads]: number };

export const noReads = (): CacheReadCounts => ({ hit: 0, miss: 0, bypassed: 0 });

/** Tells the caches of a process whether their entries are current. */
export interface Coherence {
  readonly feed: ChangeFeed;
  readonly changes: ChangeLog;
  /** Whether cached entries may be used now. */
  readonly isFresh: FreshnessCheck;
  /** The counters for the cache's reads. */
  readonly reads?: CacheReadCounts;
}

/** A read of the port behind a cache, by its arguments. Created once per cache, so that a hit creates no closures. */
export interface Read<Args extends readonly unknown[], Value> {
  /** Returns the same key for requests that may share a read. */
  key(...args: Args): string | number;
  /** Returns the cached entry. */
  held(...args: Args): Value | undefined;
  read(...args: Args): Awaitable<Value | undefined>;
  /** Returns all changes that would make the result outdated. */
  outdatedBy(found: Value | undefined, ...args: Args): readonly Change[];
  /** Caches the result, and returns the cached entry, which may be an equal earlier one. */
  keep(found: Value, ...args: Args): Value;
}

/** How often a read that is shared, and would be cached, is repeated because of changes. */
const MAX_ROUNDS = 10;

/**
 * Answers from memory while the feed is fresh, and otherwise as if there were no cache. An entry that is not cached is
 * read from the port and cached. If it changed meanwhile, it is neither cached nor used, but read again. If it changed
 * each time, or the feed lost its freshness meanwhile, one more read is made, and its result is used but not cached.
 *
 * Requests for the same key share a read. The feed is fresh when a request joins, so every change that it must see was
 * either notified and readable before it arrived, or is notified before the result is used. The last read needs no
 * feed: it begins after all of its requests arrived, so it sees every change that was committed before any of them, as
 * without a cache. A change during it is one that these requests need not see. So a flood of changes, true or false,
 * makes requests slow, but refuses none.
 */
export function createReadThrough<Args extends readonly unknown[], Value>(
  { changes, isFresh, reads = noReads() }: Coherence,
  how: Read<Args, Value>,
) {
  const underWay = new Map<string | number, Promise<Value | undefined>>();
  // Turns a synchronous throw into a rejection; otherwise a failed read would stay registered.
  const read = async (args: Args) => how.read(...args);

  async function fill(key: string | number, args: Args): Promise<Value | undefined> {
    try {
      for (let round = 0; round < MAX_ROUNDS; round += 1) {
        const watch = changes.watch();
        try {
          const found = await read(args);
          if (!isFresh()) break;
          if (watch.sawAnyOf(how.outdatedBy(found, ...args))) continue;
          return found === undefined ? undefined : how.keep(found, ...args);
        } finally {
          watch.end();
        }
      }
    } finally {
      underWay.delete(key);
    }
    // All waiting requests arrived before this read begins, and no further request can share it, so it sees all that they must.
    return read(args);
  }

  function begin(key: string | number, args: Args): Promise<Value | undefined> {
    const filling = fill(key, args);
    underWay.set(key, filling);
    return filling;
  }

  /**
   * The feed does not report all new rows. If a request shared a read that found nothing, it needs a read that began after
   * the request arrived.
   */
  async function join(reading: Promise<Value | undefined>, key: string | number, args: Args) {
    const found = await reading;
    if (found !== undefined) return found;
    return underWay.get(key) ?? (isFresh() ? begin(key, args) : read(args));
  }

  return (...args: Args): Awaitable<Value | undefined> => {
    if (!isFresh()) {
      reads.bypassed += 1;
      return how.read(...args);
    }
    const held = how.held(...args);
    if (held !== undefined) {
      reads.hit += 1;
      return held;
    }
    reads.miss += 1;
    const key = how.key(...args);
    const reading = underWay.get(key);
    return reading ? join(reading, key, args) : begin(key, args);
  };
}
