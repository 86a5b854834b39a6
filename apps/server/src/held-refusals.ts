/** Each takes memory until its time is up, which matters more than the pace of refusals. */
const MAX_HELD_REFUSALS = 4_096;

/**
 * How many refused sign-ins a process that takes so many connections holds back at once. A connection whose answer is
 * still to come does not give way to a new one, so at most half of them may have one that is held back.
 */
export function maxHeldRefusals(connections: number): number {
  return Math.min(MAX_HELD_REFUSALS, Math.floor(connections / 2));
}
