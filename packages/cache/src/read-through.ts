import type { Change, ChangeFeed, FreshnessCheck } from '@gatehouse/domain/changes';
import { type CacheReadCounts, noReads } from './cache-reads.ts';
import type { ChangeLog } from './change-log.ts';

/** How the caches of a process know whether their entries are current. */
export interface Coherence {
  readonly feed: ChangeFeed;
  readonly changes: ChangeLog;
  /** Whether cached entries may be used now. */
  readonly isFresh: FreshnessCheck;
  /** The counters for the cache's reads. */
  readonly reads?: CacheReadCounts;
}

/** A read of the port behind a cache, and what to do with the result. */
export interface Read<Value> {
  /** Returns the cached entry. */
  held(): Value | undefined;
  read(): Promise<Value | undefined>;
  /** Returns all changes that would make the result outdated. */
  outdatedBy(found: Value | undefined): readonly Change[];
  /** Caches the result, and returns the cached entry, which may be an equal earlier one. */
  keep(found: Value): Value;
}

/** How often a read that is shared, and would be cached, is repeated because of changes. */
const MAX_ROUNDS = 10;

/**
 * Answers from memory while the feed is fresh, and otherwise as if there were no cache. What is not cached is
 * read from the port and cached, unless it changed meanwhile: then it is neither cached nor used, but read
 * again. If it changed each time, or the feed lost its freshness meanwhile, one more read is made, and its result is used
 * but not cached.
 *
 * Requests for the same key share a read. The feed is fresh when a request joins, so every change that it must see was
 * notified before it arrived, and was there to be read, or is notified before the result is used. The last read needs no
 * feed: it begins after all of its requests arrived, so it sees every change that was committed before any of them, as
 * without a cache. A change during it is one that these requests need not see. So a flood of changes, true or false,
 * makes requests slow, but refuses none.
 */
export function createReadThrough<Key, Value>({ changes, isFresh, reads = noReads() }: Coherence) {
  const underWay = new Map<Key, Promise<Value | undefined>>();

  async function fill(key: Key, how: Read<Value>): Promise<Value | undefined> {
    try {
      for (let round = 0; round < MAX_ROUNDS; round += 1) {
        const watch = changes.watch();
        try {
          const found = await start(how);
          if (!isFresh()) break;
          if (watch.sawAnyOf(how.outdatedBy(found))) continue;
          return found === undefined ? undefined : how.keep(found);
        } finally {
          watch.end();
        }
      }
    } finally {
      underWay.delete(key);
    }
    // Begins after all waiting requests arrived, and no further ones can join: see above.
    return how.read();
  }

  function begin(key: Key, how: Read<Value>): Promise<Value | undefined> {
    const filling = fill(key, how);
    underWay.set(key, filling);
    return filling;
  }

  /** New rows are not always notified: a request that joined and found nothing needs a read that began later. */
  async function join(reading: Promise<Value | undefined>, key: Key, how: Read<Value>) {
    const found = await reading;
    if (found !== undefined) return found;
    return underWay.get(key) ?? (isFresh() ? begin(key, how) : how.read());
  }

  return (key: Key, how: Read<Value>): Promise<Value | undefined> => {
    if (!isFresh()) {
      reads.bypassed += 1;
      return how.read();
    }
    const held = how.held();
    if (held !== undefined) {
      reads.hit += 1;
      return Promise.resolve(held);
    }
    reads.miss += 1;
    const reading = underWay.get(key);
    return reading ? join(reading, key, how) : begin(key, how);
  };
}

/** Turns synchronous errors into rejections, so that a failed read is not registered after it has ended. */
async function start<Value>(how: Read<Value>): Promise<Value | undefined> {
  return how.read();
}
