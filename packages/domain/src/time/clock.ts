import type { Instant } from './instant.ts';

/** The wall clock. It is a port so that tests can set the time. */
export interface Clock {
  now(): Instant;
}

/**
 * A clock that never goes back, even if the wall clock is set back. It may stand still while the machine is suspended.
 */
export interface MonotonicClock {
  /** Milliseconds since a time in the past that is fixed for the lifetime of the process. */
  elapsedMs(): number;
}

/**
 * The largest difference of two clocks that is not reported, in milliseconds. A server decides by its own clock whether
 * a token has expired, and the database stores times by its own clock.
 */
const TOLERATED_SKEW_MS = 1000;

/** The difference between this machine's clock and the clock of another machine. */
export interface ClockComparison {
  /** This machine's clock minus the other clock, in milliseconds; negative if this machine's clock is behind. */
  readonly skewMs: number;
  /** The maximum error of `skewMs`, in milliseconds. */
  readonly errorMs: number;
}

/**
 * Compares this machine's clock with another clock that was read during a round trip. Assumes that the other clock was
 * read in the middle of the round trip, so the error is at most half of the duration of the round trip.
 */
export function compareClocks(before: Instant, theirs: Instant, after: Instant): ClockComparison {
  const errorMs = (after - before) / 2;
  return { skewMs: Math.round(before + errorMs - theirs), errorMs };
}

/** Whether the clocks differ by more than the tolerated difference, even if the comparison has its maximum error. */
export function isSkewed({ skewMs, errorMs }: ClockComparison): boolean {
  return Math.abs(skewMs) > TOLERATED_SKEW_MS + errorMs;
}
