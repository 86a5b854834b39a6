/** A reading of both clocks of this process, in milliseconds. */
export interface Moment {
  /** `performance.now()`. It goes on evenly while the machine runs, and cannot be set. */
  readonly monotonic: number;
  /** `Date.now()`, the time of day. It can be set. */
  readonly wall: number;
}

export const readClocks = (): Moment => ({ monotonic: performance.now(), wall: Date.now() });

/** One clock was set, or stood still, if the difference between the two clocks changed by this much, in milliseconds. */
const DRIFT_MS = 100;

/**
 * Whether one of the clocks stood still or was set between two moments. Then times that were measured between them mean nothing.
 * On Linux, the monotonic clock stands still while the machine is suspended, and the wall clock does not.
 */
export function clocksDisagree(from: Moment, to: Moment): boolean {
  const drift = to.wall - to.monotonic - (from.wall - from.monotonic);
  return Math.abs(drift) >= DRIFT_MS;
}
