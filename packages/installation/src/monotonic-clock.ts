import type { MonotonicClock } from '@gatehouse/domain/time';

/** Creates a clock of Node's high-resolution timer. On Linux it stands still while the machine is suspended. */
export function createMonotonicClock(): MonotonicClock {
  return { elapsedMs: () => performance.now() };
}
