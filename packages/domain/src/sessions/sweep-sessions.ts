import type { Ports } from '../ports.ts';
import { addMilliseconds } from '../time/instant.ts';

/**
 * A session is deleted this long after its lifetime has ended: one day, in milliseconds. The clocks of two machines are
 * assumed to differ by less than this.
 */
const SWEPT_AFTER_MS = 86_400_000;

/** Sessions per batch. A batch takes only milliseconds. */
const BATCH = 1000;

/**
 * Deletes one batch of the sessions whose lifetime ended more than a day ago. Call this function again while it returns
 * `more: true`. A session that ended because it was idle is not deleted earlier: that would need an index on the time
 * of the last request, which each request would have to update.
 */
export function sweepSessions({
  sessions,
  sessionTimes,
  clock,
}: Ports<'sessions' | 'sessionTimes' | 'clock'>) {
  return async (): Promise<{ readonly swept: number; readonly more: boolean }> => {
    const createdBefore = addMilliseconds(clock.now(), -sessionTimes.lifetimeMs - SWEPT_AFTER_MS);
    const swept = await sessions.sweep({ createdBefore, limit: BATCH });
    return { swept, more: swept === BATCH };
  };
}
