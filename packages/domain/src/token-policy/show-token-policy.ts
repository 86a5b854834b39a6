import { authorize, authorized, READ_TOKEN_POLICIES, SET_TOKEN_FLOOR } from '../access/index.ts';
import type { AccountId } from '../accounts/account.ts';
import type { Ports } from '../ports.ts';
import { err, ok } from '../result.ts';

/** Shows the rules of an account for its tokens, and the floor. For a user, an account of others is not found. */
export const showTokenPolicy = authorized(
  READ_TOKEN_POLICIES,
  ({ tokenPolicies }: Ports<'tokenPolicies'>) =>
    async (caller, accountId: AccountId) => {
      if (!authorize(caller, READ_TOKEN_POLICIES, { accountId }).ok)
        return err({ code: 'account_not_found' });
      const found = await tokenPolicies.find(accountId);
      return found ? ok(found) : err({ code: 'account_not_found' });
    },
);

/** Shows the limits that the operator sets for the tokens of all accounts. */
export const showTokenFloor = authorized(
  SET_TOKEN_FLOOR,
  ({ tokenPolicies }: Ports<'tokenPolicies'>) =>
    async () =>
      ok(await tokenPolicies.findFloor()),
);
