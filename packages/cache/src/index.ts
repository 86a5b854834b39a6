export type { CacheReads } from './cache-reads.ts';
export type { CacheLimits, Limit } from './limits.ts';
export { createReadCaches } from './read-caches.ts';
