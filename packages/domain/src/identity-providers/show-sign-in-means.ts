import { authorized, READ_USERS } from '../access/index.ts';
import type { Ports } from '../ports.ts';
import { err, ok } from '../result.ts';
import { findPerson, type NamedUser } from '../users/named-user.ts';

/** Shows how a person can sign in. For an admin, a user of another account counts as absent. */
export const showSignInMeans = authorized(
  READ_USERS,
  ({ users, identities }: Ports<'users' | 'identities'>) =>
    async (caller, named: NamedUser) => {
      const found = await findPerson(users, caller, named);
      if (!found.ok) return found;
      const means = await identities.findMeans(found.value.id);
      return means ? ok(means) : err({ code: 'user_not_found' });
    },
);
