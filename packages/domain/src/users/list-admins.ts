import { authorized, type Principal, READ_ADMINS } from '../access/index.ts';
import type { Ports } from '../ports.ts';
import { ok } from '../result.ts';

/** Maximum number of listed admins. */
const NAMED = 20;

/**
 * Lists at most 20 admins of the caller's account, so that a member can ask them for help. Also returns whether there
 * are more admins.
 */
export const listAdmins = authorized(
  READ_ADMINS,
  ({ users }: Ports<'users'>) =>
    async ({ accountId }: Principal) => {
      const found = await users.listAdmins(accountId, NAMED + 1);
      const admins = found.slice(0, NAMED).map(({ id, name, email }) => ({ id, name, email }));
      return ok({ admins, more: found.length > NAMED });
    },
);
