/** How often a cache was asked since it was made, by what came of it. */
export interface CacheReads {
  readonly hit: number;
  readonly miss: number;
  /** What is held might have been out of date: it was read as if there were no cache. */
  readonly bypassed: number;
}

/** For the cache itself to count in. */
export type CacheReadCounts = { -readonly [Outcome in keyof CacheReads]: number };

export const noReads = (): CacheReadCounts => ({ hit: 0, miss: 0, bypassed: 0 });
