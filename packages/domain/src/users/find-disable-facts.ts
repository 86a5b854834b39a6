import { authorized, CHANGE_USERS } from '../access/index.ts';
import { counted } from '../paging.ts';
import type { Ports } from '../ports.ts';
import { err, ok } from '../result.ts';
import { MAX_TOKENS_COUNTED } from './lists/account-users.ts';
import { mayKnow } from './named-user.ts';
import type { UserId } from './user.ts';

/** Maximum number of tokens, of service accounts and of possible owners that are listed. */
const LISTED = 100;

/**
 * Finds what has to be decided before a user is disabled: the live API tokens, the active service accounts for which
 * the user answers, and who can have them. For an admin, a user of another account counts as absent.
 */
export const findDisableFacts = authorized(
  CHANGE_USERS,
  ({ users, clock }: Ports<'users' | 'clock'>) =>
    async (caller, { id }: { readonly id: UserId }) => {
      const found = await users.findDisableFacts(id, { at: clock.now(), limit: LISTED + 1 });
      if (!found || !mayKnow(caller, found.user)) return err({ code: 'user_not_found' });
      const { user, liveTokens, tokens, serviceAccounts, owners } = found;
      return ok({
        user,
        tokens: counted(liveTokens, MAX_TOKENS_COUNTED),
        /** The live API tokens; undefined if there are too many to list. */
        apiTokens: tokens.length > LISTED ? undefined : tokens,
        serviceAccounts: serviceAccounts.slice(0, LISTED),
        /** Whether the user answers for more service accounts than are listed. */
        moreServiceAccounts: serviceAccounts.length > LISTED,
        /** The other active admins and service accounts of the account, persons first. */
        owners: owners.slice(0, LISTED),
        moreOwners: owners.length > LISTED,
      });
    },
);
