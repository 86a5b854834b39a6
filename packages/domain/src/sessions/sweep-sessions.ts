import type { Ports } from '../ports.ts';
import { addMilliseconds } from '../time/instant.ts';
import type { SessionTimes } from './session.ts';

interface SweepSessionsPorts extends Ports<'sessions' | 'clock'> {
  readonly sessionTimes: SessionTimes;
}

/** How long ago a session must have reached its lifetime: more than the clocks of two machines should differ. */
const SWEPT_AFTER_MS = 86_400_000;

/** Few enough that a batch takes milliseconds. */
const BATCH = 1000;

/**
 * Deletes one batch of the sessions whose lifetime ended more than a day ago; call it again while there is `more`. A
 * session that ended by being idle stays until then: an index on the last request would be written to by requests.
 */
export function sweepSessions({ sessions, sessionTimes, clock }: SweepSessionsPorts) {
  return async (): Promise<{ readonly swept: number; readonly more: boolean }> => {
    const createdBefore = addMilliseconds(clock.now(), -sessionTimes.lifetimeMs - SWEPT_AFTER_MS);
    const swept = await sessions.sweep({ createdBefore, limit: BATCH });
    return { swept, more: swept === BATCH };
  };
}
