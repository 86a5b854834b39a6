import type { Clock, MonotonicClock } from '../time/clock.ts';
import type { ChangeFeed } from './change-feed.ts';

interface FreshnessPorts {
  readonly feed: ChangeFeed;
  readonly clock: Clock;
  readonly monotonicClock: MonotonicClock;
  /** Maximum age of data that requests are decided by, in milliseconds. */
  readonly maxStalenessMs: number;
}

/** Whether cached data that no change has named since it was read may be used now. */
export type FreshnessCheck = () => boolean;

/**
 * Both clocks have to agree, because the monotonic clock stands still while a machine is suspended, and the wall
 * clock can be set back.
 */
export function createFreshnessCheck(ports: FreshnessPorts): FreshnessCheck {
  const { feed, clock, monotonicClock, maxStalenessMs } = ports;
  return () => {
    const heard = feed.heardUpTo();
    if (!heard) return false;
    const wallAge = clock.now() - heard.at;
    return monotonicClock.elapsedMs() - heard.elapsedMs <= maxStalenessMs && wallAge <= maxStalenessMs;
  };
}
