export type { Change } from './change.ts';
export type { ChangeFeed, HeardUpTo } from './change-feed.ts';
export { createLease, type Lease } from './lease.ts';
export { createNextReads } from './next-reads.ts';
