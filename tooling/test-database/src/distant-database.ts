import { openRelay, type Relay } from './relay.ts';

/** Starts a proxy that delays everything by a number of milliseconds in each direction. */
export function openDistantDatabase(url: string, oneWayMs: number): Promise<Relay> {
  // Timers of equal length fire in the order in which they were set.
  const later = (pass: () => void) => void setTimeout(pass, oneWayMs);
  return openRelay(url, { carry: later, carryClose: later });
}
