import { actorOf, authorized, CHANGE_USERS } from '../access/index.ts';
import { eventBy } from '../audit/event-by.ts';
import type { Ports } from '../ports.ts';
import { ok } from '../result.ts';
import { findNamed, type NamedUser } from '../users/named-user.ts';
import { liveSince } from './session.ts';
import { sessionEnded } from './session-events.ts';

/**
 * Ends all sessions of a user, as an admin of the account or an operator decides. Tokens keep working. Returns how many
 * of the ended sessions were live.
 */
export const endUserSessions = authorized(
  CHANGE_USERS,
  ({ users, sessions, sessionTimes, clock }: Ports<'users' | 'sessions' | 'sessionTimes' | 'clock'>) =>
    async (caller, named: NamedUser) => {
      const found = await findNamed(users, caller, named);
      if (!found.ok) return found;
      const user = found.value;
      const now = clock.now();
      const reason = `all sessions of ${user.email} were ended`;
      const ended = await sessions.endAll(user, liveSince(now, sessionTimes), actorOf(caller), ({ id }) =>
        eventBy(caller, sessionEnded(id, user, now, reason)),
      );
      return ended.ok ? ok({ user, ended: ended.value }) : ended;
    },
);
