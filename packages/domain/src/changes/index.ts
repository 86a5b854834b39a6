export type { Change } from './change.ts';
export type {
  ChangeFeed,
  ChangeFeedEvent,
  ChangeFeedState,
  HeardUpTo,
  StartableChangeFeed,
} from './change-feed.ts';
export { createFreshnessCheck, type FreshnessCheck } from './freshness.ts';
