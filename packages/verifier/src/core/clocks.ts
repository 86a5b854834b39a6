/** A reading of both clocks of this process, in milliseconds. */
export interface Moment {
  /** `performance.now()`. It goes on evenly while the machine runs, and cannot be set. */
  readonly monotonic: number;
  /** `Date.now()`, the time of day. It can be set. */
  readonly wall: number;
}

/** How long both readings may take together, in milliseconds. */
const MAX_READING_MS = 5;
const MAX_READINGS = 3;

/**
 * Reads both clocks. If the process was paused between the two readings, for example because the machine is busy, they
 * would look like clocks that disagree. So it reads them again.
 */
export function readClocks(): Moment {
  for (let reading = 1; ; reading += 1) {
    const moment = { monotonic: performance.now(), wall: Date.now() };
    if (performance.now() - moment.monotonic <= MAX_READING_MS || reading === MAX_READINGS) return moment;
  }
}

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
