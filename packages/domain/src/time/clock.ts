import type { Instant } from './instant.ts';

/** The wall clock. It is a port so that tests can set the time. */
export interface Clock {
  now(): Instant;
}
