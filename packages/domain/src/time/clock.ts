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
