import type { Clock } from '../src/time/clock.ts';
import { addMilliseconds, type Instant } from '../src/time/instant.ts';

export interface FixedClock extends Clock {
  advance(milliseconds: number): void;
  set(instant: Instant): void;
}

/** A clock that stands still until a test moves it. */
export function createFixedClock(start: Instant): FixedClock {
  let now = start;
  return {
    now: () => now,
    advance(milliseconds) {
      now = addMilliseconds(now, milliseconds);
    },
    set(instant) {
      now = instant;
    },
  };
}
