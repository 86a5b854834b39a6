import { authorized, type Principal, USE_OWN_SESSIONS } from '../access/index.ts';
import { eventBy } from '../audit/event-by.ts';
import type { Ports } from '../ports.ts';
import { err, ok } from '../result.ts';
import { liveSince, type SessionId } from './session.ts';
import { sessionEnded } from './session-events.ts';

/** Signs out: ends the session in which the caller acts. A session that has already ended is not an error. */
export const endSession = authorized(
  USE_OWN_SESSIONS,
  (ports: Ports<'sessions' | 'clock'>) => async (caller: Principal, id: SessionId) => {
    await end(ports, caller, id, 'the user signed out');
    return ok(undefined);
  },
);

type LiveSessionPorts = Ports<'sessions' | 'sessionTimes' | 'clock'>;

/** Lists the caller's live sessions, newest first. There are at most `MAX_LIVE_SESSIONS`. */
export const listOwnSessions = authorized(
  USE_OWN_SESSIONS,
  ({ sessions, sessionTimes, clock }: LiveSessionPorts) =>
    async (caller: Principal) =>
      ok(await sessions.list(caller.userId, liveSince(clock.now(), sessionTimes))),
);

/** Ends one of the caller's sessions. Another user's session counts as absent. */
export const endOwnSession = authorized(
  USE_OWN_SESSIONS,
  (ports: Ports<'sessions' | 'clock'>) => async (caller: Principal, id: SessionId) => {
    const ended = await end(ports, caller, id, 'the user ended the session from another session');
    return ended ? ok(undefined) : err({ code: 'session_not_found' });
  },
);

function end(
  { sessions, clock }: Ports<'sessions' | 'clock'>,
  caller: Principal,
  id: SessionId,
  reason: string,
) {
  const event = eventBy(caller, sessionEnded(id, caller, clock.now(), reason));
  return sessions.end({ id, userId: caller.userId }, event);
}

/** Ends all sessions of the caller except the session `kept`. Returns how many of the ended sessions were live. */
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
