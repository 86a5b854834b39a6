import type { Clock, MonotonicClock } from '../time/clock.ts';
import type { ChangeFeed } from './change-feed.ts';

interface FreshnessPorts {
  readonly feed: ChangeFeed;
  readonly clock: Clock;
  readonly monotonicClock: MonotonicClock;
  /** Maximum age of data that decides on requests, in milliseconds. */
  readonly maxStalenessMs: number;
}

/** Whether cached data may be used now, if no change has named it since it was read. */
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
