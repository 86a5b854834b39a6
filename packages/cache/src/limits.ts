/** The limits of a cache. A limit of 0 entries turns the cache off. */
export interface Limit {
  readonly entries: number;
  /** The largest estimated size of all entries together, in bytes. */
  readonly bytes: number;
}

/** The limits of the caches of one process. */
export interface CacheLimits {
  /**
   * The limit of cached tokens. A token has two entries, a verified signature and a record, which share the limit of
   * bytes.
   */
  readonly tokens: Limit;
  readonly organizations: Limit;
  /**
   * The largest number of cached memberships. It needs no limit of bytes, because all entries are small and of equal
   * size.
   */
  readonly memberships: number;
}

/**
 * Returns the options of an LRU cache that enforce the limits of entries and of bytes. The library's option `max` is
 * not used, because it would allocate memory for all entries at once. Instead, each entry counts as at least `bytes /
 * entries` bytes, so the limit of bytes also limits the number of entries.
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
