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
