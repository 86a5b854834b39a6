import type { Instant } from './instant.ts';

/** The wall clock. Time is a port, so that tests choose it and nothing sleeps to wait for it. */
export interface Clock {
  now(): Instant;
}
