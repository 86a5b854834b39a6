import type { MonotonicClock } from '@gatehouse/domain/time';

/** Node's high-resolution timer. On Linux it stands still while the machine is suspended. */
export function createMonotonicClock(): MonotonicClock {
  return { elapsedMs: () => performance.now() };
}
