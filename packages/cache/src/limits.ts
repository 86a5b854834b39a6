/** How much a cache holds at most. No entries: it is off. */
export interface Limit {
  readonly entries: number;
  /** Estimated. */
  readonly bytes: number;
}

/** How much the caches of one process hold at most. */
export interface CacheLimits {
  /** Tokens: the entries count twice, as a verified signature and as a record; the bytes are for both. */
  readonly tokens: Limit;
  readonly organizations: Limit;
  /** Who is a member of which organization and who is not: small and all alike, so only counted. */
  readonly memberships: number;
}

/**
 * Options of an LRU cache within both bounds. Given a `max`, it would make room for all entries when it is made;
 * so each entry counts for its share of the bytes at least, and the bytes bound the entries as well.
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
