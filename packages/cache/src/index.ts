export type { CacheLimits, Limit } from './limits.ts';
export { createReadCaches } from './read-caches.ts';
export type { CacheReads } from './read-through.ts';
