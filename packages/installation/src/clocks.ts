import type { Clock, Instant, MonotonicClock } from '@gatehouse/domain/time';

/** The clock of the machine. */
export function createSystemClock(): Clock {
  return { now: () => Date.now() as Instant };
}

/** Creates a clock of Node's high-resolution timer. On Linux it stands still while the machine is suspended. */
export function createMonotonicClock(): MonotonicClock {
  return { elapsedMs: () => performance.now() };
}
