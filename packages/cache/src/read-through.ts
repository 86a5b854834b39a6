import type { Awaitable } from '@gatehouse/domain';
import type { Change, ChangeFeed, FreshnessCheck } from '@gatehouse/domain/changes';
import type { ChangeLog } from './change-log.ts';

/** The number of reads of a cache since it was created, by outcome. */
export interface CacheReads {
  readonly hit: number;
  readonly miss: number;
  /** Reads for which the cache was not used, because its entries might have been outdated. */
  readonly bypassed: number;
}

/** The counters of a cache's reads, which the cache increments. */
export type CacheReadCounts = { -readonly [Outcome in keyof CacheReads]: number };

export const noReads = (): CacheReadCounts => ({ hit: 0, miss: 0, bypassed: 0 });

/** The objects that tell the caches of a process whether their entries are up to date. */
export interface Coherence {
  readonly feed: ChangeFeed;
  readonly changes: ChangeLog;
  /** Returns whether cached entries may be used now. */
  readonly isFresh: FreshnessCheck;
  /** The counters of the cache's reads. */
  readonly reads?: CacheReadCounts;
}

/**
 * The functions of a cache for one read of a port. They are created once per cache and are passed the arguments of each
 * read, so no function needs to be created for a read that the cache answers.
 */
export interface Read<Args extends readonly unknown[], Value> {
  /** Returns the same key for requests that may share a read. */
  key(...args: Args): string | number;
  /** Returns the cached entry; undefined if there is none. */
  held(...args: Args): Value | undefined;
  read(...args: Args): Awaitable<Value | undefined>;
  /** Returns all changes that would make the result of a read outdated. */
  outdatedBy(found: Value | undefined, ...args: Args): readonly Change[];
  /** Caches the result of a read. Returns the cached entry, which may be another object that is equal to the result. */
  keep(found: Value, ...args: Args): Value;
}

/**
 * The largest number of attempts to read an entry for the cache. An attempt is repeated if a change made its result
 * outdated.
 */
const MAX_ROUNDS = 10;

/**
 * Creates a read with a cache. While the change feed is fresh, cached entries are returned, and an entry that is not
 * cached is read from the database and cached. If a change during the read made the result outdated, the result is
 * dropped and the read is repeated. After `MAX_ROUNDS` such reads, or if the feed is no longer fresh, one last read is
 * made, whose result is returned but not cached. While the feed is not fresh, each read goes to the database.
 *
 * Requests for the same key share a read. A request must see every change that was committed before the request
 * arrived. It joins a shared read only while the feed is fresh, so the feed reports such a change before the result is
 * used, or the read already sees the change. The last read needs no feed: it begins after all requests that share it
 * have arrived, so it sees every such change. So a flood of changes makes requests slow, but no request fails.
 */
export function createReadThrough<Args extends readonly unknown[], Value>(
  { changes, isFresh, reads = noReads() }: Coherence,
  how: Read<Args, Value>,
) {
  const underWay = new Map<string | number, Promise<Value | undefined>>();
  // An async function turns a synchronous throw into a rejection. Otherwise a read that throws would stay in
  // `underWay`.
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
    // All requests that share this read arrived before it begins, and no further request can share it. So it sees every
    // change that these requests must see.
    return read(args);
  }

  function begin(key: string | number, args: Args): Promise<Value | undefined> {
    const filling = fill(key, args);
    underWay.set(key, filling);
    return filling;
  }

  /**
   * Waits for a read that began before this request arrived, and returns its result. If that read found nothing, a row
   * may have been added since, which the feed does not always report. In that case, another read is made, which begins
   * after this request arrived.
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
