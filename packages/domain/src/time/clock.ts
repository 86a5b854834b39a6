import type { Instant } from './instant.ts';

/** The wall clock. It is a port so that tests can set the time. */
export interface Clock {
  now(): Instant;
}

/** A clock that never goes back, even if the wall clock is set. It may stand still while the machine is suspended. */
export interface MonotonicClock {
  /** Milliseconds since a time in the past that is fixed for the lifetime of the process. */
  elapsedMs(): number;
}

/** Maximum difference, in milliseconds: servers decide expiries by their own clocks, and the database records times by its. */
const TOLERATED_SKEW_MS = 1000;

/** This machine's clock compared with another's. */
export interface ClockComparison {
  /** This machine's clock minus the other clock, in milliseconds; negative if this machine's clock is behind. */
  readonly skewMs: number;
  /** Maximum error, in milliseconds. */
  readonly errorMs: number;
}

/**
 * Compares this machine's clock with another clock that was read during a round trip. Assumes that the other clock was read in
 * the middle of the round trip, so the error is at most half of its duration.
 */
export function compareClocks(before: Instant, theirs: Instant, after: Instant): ClockComparison {
  const errorMs = (after - before) / 2;
  return { skewMs: Math.round(before + errorMs - theirs), errorMs };
}

/** Whether the clocks certainly differ by more than tolerated. */
export function isSkewed({ skewMs, errorMs }: ClockComparison): boolean {
  return Math.abs(skewMs) > TOLERATED_SKEW_MS + errorMs;
}
