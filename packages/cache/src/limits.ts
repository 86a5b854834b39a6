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
 * Returns the options of an LRU cache that keeps both limits. `max` of the library is not used, because it would allocate
 * room for all entries at once. Instead each entry counts for at least its share of the bytes, so the limit of bytes also
 * limits the number of entries.
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
