/** A clock that never goes back, even if the wall clock is set. It may stand still while the machine is suspended. */
export interface MonotonicClock {
  /** Milliseconds since a time in the past that is fixed for the lifetime of the process. */
  elapsedMs(): number;
}
