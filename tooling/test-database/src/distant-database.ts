import { openRelay, type Relay } from './relay.ts';

/** A way to a database on which everything takes so much longer in each direction, in milliseconds. */
export function openDistantDatabase(url: string, oneWayMs: number): Promise<Relay> {
  // Timers of the same length run in the order in which they were set.
  const later = (pass: () => void) => void setTimeout(pass, oneWayMs);
  return openRelay(url, { carry: later, carryClose: later });
}
