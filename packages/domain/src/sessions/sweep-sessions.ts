import type { Ports } from '../ports.ts';
import { addMilliseconds } from '../time/instant.ts';

/** Sessions are deleted this long after their lifetime. The clocks of two machines should differ by less. */
const SWEPT_AFTER_MS = 86_400_000;

/** Sessions per batch. A batch takes only milliseconds. */
const BATCH = 1000;

/**
 * Deletes one batch of the sessions whose lifetime ended more than a day ago. Call it again while `more` is true. A session
 * that ended because it was idle also stays until then. Deleting it earlier would need an index on the time of the last
 * request, which each request would have to update.
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
