export type { Change } from './change.ts';
// The port and the types of its methods.
export type * from './change-feed.ts';
export { createCoalescedReads } from './coalesced-reads.ts';
export { createFreshnessCheck, type FreshnessCheck } from './freshness.ts';
