/** A clock that only ever goes forward, whatever anyone sets. It may stand still while the machine is suspended. */
export interface MonotonicClock {
  /** Milliseconds since some moment in the past, the same one for as long as the process lives. */
  elapsedMs(): number;
}
