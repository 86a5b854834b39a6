import type { Clock, Instant } from '@gatehouse/domain/time';

/** The clock of the machine. */
export function createSystemClock(): Clock {
  return { now: () => Date.now() as Instant };
}
