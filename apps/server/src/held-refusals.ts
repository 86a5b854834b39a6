/** Bounds the memory of delayed refusals, which matters more than their rate. */
const MAX_HELD_REFUSALS = 4_096;

/**
 * Returns how many refused sign-ins a process with this many connections delays at once. A connection with a pending
 * response is not closed in favour of a new one, so at most half of them can have a delayed refusal.
 */
export function maxHeldRefusals(connections: number): number {
  return Math.min(MAX_HELD_REFUSALS, Math.floor(connections / 2));
}
