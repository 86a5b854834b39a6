import type { Ports } from '../ports.ts';
import { addMilliseconds } from '../time/instant.ts';

/** How long ago a session must have reached its lifetime: more than the clocks of two machines should differ. */
const SWEPT_AFTER_MS = 86_400_000;

/** Few enough that a batch takes milliseconds. */
const BATCH = 1000;

/**
 * Deletes one batch of the sessions whose lifetime ended more than a day ago; call it again while there is `more`. An idle
 * session also stays until then: each request would have to update an index on the last request.
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
