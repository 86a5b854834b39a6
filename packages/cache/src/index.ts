export type { CacheReads } from './cache-reads.ts';
export type { CacheLimits, Limit } from './limits.ts';
export { createReadCaches, type ReadCaches, type ReadCachesPorts } from './read-caches.ts';
