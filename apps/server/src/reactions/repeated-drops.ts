import type { Lane } from '@gatehouse/domain/reactions';
import type { MonotonicClock } from '@gatehouse/domain/time';

/** A drop for the same reason is a repeated one for this time, in milliseconds. */
const REPEATED_MS = 60_000;

/** The number of lanes that are remembered. */
const MAX_LANES = 1000;

/**
 * Returns whether a lane dropped another event for the same reason within a minute. Thousands of events may wait for a
 * webhook when an admin deletes it, and a line of the log for each of them would push others out of it.
 */
export function createRepeatedDrops({ elapsedMs }: MonotonicClock) {
  const last = new Map<Lane, { readonly problem: string | undefined; readonly at: number }>();
  return (lane: Lane, problem: string | undefined): boolean => {
    const before = last.get(lane);
    const at = elapsedMs();
    if (before && before.problem === problem && at - before.at < REPEATED_MS) return true;
    if (last.size >= MAX_LANES) last.clear();
    last.set(lane, { problem, at });
    return false;
  };
}
