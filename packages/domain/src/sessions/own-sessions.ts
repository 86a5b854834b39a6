import { authorized, type Principal, USE_OWN_SESSIONS } from '../access/index.ts';
import { eventBy } from '../audit/event-by.ts';
import type { Ports } from '../ports.ts';
import { err, ok } from '../result.ts';
import { liveSince, type SessionId, type SessionTimes } from './session.ts';
import { sessionEnded } from './session-events.ts';

/** Signs out: ends the session in which the caller acts. One that has ended already is no error. */
export const endSession = authorized(
  USE_OWN_SESSIONS,
  ({ sessions, clock }: Ports<'sessions' | 'clock'>) =>
    async (caller: Principal, id: SessionId) => {
      const event = eventBy(caller, sessionEnded(id, caller, clock.now(), 'the user signed out'));
      await sessions.end({ id, userId: caller.userId }, event);
      return ok(undefined);
    },
);

interface LiveSessionPorts extends Ports<'sessions' | 'clock'> {
  readonly sessionTimes: SessionTimes;
}

/** Lists the caller's live sessions, the newest first; at most `MAX_LIVE_SESSIONS`. */
export const listOwnSessions = authorized(
  USE_OWN_SESSIONS,
  ({ sessions, sessionTimes, clock }: LiveSessionPorts) =>
    async (caller: Principal) =>
      ok(await sessions.list(caller.userId, liveSince(clock.now(), sessionTimes))),
);

/** Ends one of the caller's sessions. Another user's counts as absent. */
export const endOwnSession = authorized(
  USE_OWN_SESSIONS,
  ({ sessions, clock }: Ports<'sessions' | 'clock'>) =>
    async (caller: Principal, id: SessionId) => {
      const event = eventBy(
        caller,
        sessionEnded(id, caller, clock.now(), 'the user ended it from another session'),
      );
      const ended = await sessions.end({ id, userId: caller.userId }, event);
      return ended ? ok(undefined) : err({ code: 'session_not_found' });
    },
);

/** Ends the caller's sessions except for this one, and returns how many were live. */
export const endOtherSessions = authorized(
  USE_OWN_SESSIONS,
  ({ sessions, sessionTimes, clock }: LiveSessionPorts) =>
    async (caller: Principal, kept: SessionId) => {
      const now = clock.now();
      const ended = await sessions.endOthers(
        { id: kept, userId: caller.userId },
        liveSince(now, sessionTimes),
        ({ id }) => eventBy(caller, sessionEnded(id, caller, now, 'the user ended all other sessions')),
      );
      return ok({ ended });
    },
);
