/** The limits of a cache. A limit of 0 entries turns the cache off. */
export interface Limit {
  readonly entries: number;
  /** The estimated size in bytes. */
  readonly bytes: number;
}

/** The limits of the caches of a process. */
export interface CacheLimits {
  /** Tokens: each has two entries, a verified signature and a record; the bytes are for both. */
  readonly tokens: Limit;
  readonly organizations: Limit;
  /** The limit of cached memberships. It is a number, because all entries are small and of equal size. */
  readonly memberships: number;
}

/**
 * Options of an LRU cache within both limits. With a `max` it would allocate room for all entries at once; so each
 * entry counts for at least its share of the bytes, and the bytes limit the entries as well.
 */
export function boundedBy<Key, Value>(
  { entries, bytes }: Limit,
  bytesOf: (value: Value, key: Key) => number,
) {
  const share = Math.max(1, Math.floor(bytes / entries));
  return {
    maxSize: Math.min(bytes, share * entries),
    sizeCalculation: (value: Value, key: Key) => Math.max(share, bytesOf(value, key)),
  };
}
