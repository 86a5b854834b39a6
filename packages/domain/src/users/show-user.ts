import { authorized, READ_USERS } from '../access/index.ts';
import { counted } from '../paging.ts';
import type { Ports } from '../ports.ts';
import { err, ok } from '../result.ts';
import { liveSince } from '../sessions/session.ts';
import { MAX_TOKENS_COUNTED } from './lists/account-users.ts';
import { mayKnow, type NamedUser } from './named-user.ts';
import type { UserId } from './user.ts';
import type { UserRepository } from './user-repository.ts';

/** The largest number of organizations of a user that are named. */
const NAMED = 100;

/**
 * Shows a user: the last sign-in, the number of live API tokens, the organizations and the live sessions, newest first.
 * For an admin, a user of another account counts as absent.
 */
export const showUser = authorized(
  READ_USERS,
  ({ users, sessions, sessionTimes, clock }: Ports<'users' | 'sessions' | 'sessionTimes' | 'clock'>) =>
    async (caller, named: NamedUser) => {
      const at = clock.now();
      const id = await idOf(users, named);
      const found = id && (await users.findDetails(id, { at, limit: NAMED + 1 }));
      if (!found || !mayKnow(caller, found.user)) return err({ code: 'user_not_found' });
      const { organizations, liveTokens, ...details } = found;
      return ok({
        ...details,
        tokens: counted(liveTokens, MAX_TOKENS_COUNTED),
        organizations: organizations.slice(0, NAMED),
        /** Whether the user is a member of more organizations than are named. */
        moreOrganizations: organizations.length > NAMED,
        sessions: await sessions.list(found.user.id, liveSince(at, sessionTimes)),
      });
    },
);

async function idOf(users: UserRepository, named: NamedUser): Promise<UserId | undefined> {
  return 'id' in named ? named.id : (await users.findByEmail(named.email))?.id;
}
