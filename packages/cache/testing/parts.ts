import { createFreshnessCheck } from '@gatehouse/domain/changes';
import { createFixedClock, createInMemoryChangeFeed, START } from '@gatehouse/domain/testing';
import type { CacheLimits } from '../src/limits.ts';

export const MAX_STALENESS_MS = 1000;

/** Limits above everything that a test caches. */
export const AMPLE: CacheLimits = {
  tokens: { entries: 1000, bytes: 100_000_000 },
  organizations: { entries: 1000, bytes: 100_000_000 },
  memberships: 1000,
};

export type FeedParts = ReturnType<typeof createFeedParts>;

/** A feed driven by the test, its freshness, and clocks that stand still until they are advanced. */
export function createFeedParts() {
  const clock = createFixedClock(START);
  let elapsedMs = 0;
  const clocks = { clock, monotonicClock: { elapsedMs: () => elapsedMs } };
  const feed = createInMemoryChangeFeed(clocks);
  return {
    feed,
    isFresh: createFreshnessCheck({ feed, ...clocks, maxStalenessMs: MAX_STALENESS_MS }),
    /** Advances both clocks. */
    pass(milliseconds: number): void {
      clock.advance(milliseconds);
      elapsedMs += milliseconds;
    },
  };
}
