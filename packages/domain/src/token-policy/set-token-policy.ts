import { authorize, authorized, SET_TOKEN_POLICIES } from '../access/index.ts';
import type { AccountId } from '../accounts/account.ts';
import { eventBy } from '../audit/event-by.ts';
import { refuseWhileOlder } from '../editions/refuse-while-older.ts';
import type { Ports } from '../ports.ts';
import { err } from '../result.ts';
import { changedRules, changeEach, type RuleChanges } from './change-token-rules.ts';
import { readLimitableScopes } from './limitable-scopes.ts';
import { policySet } from './policy-events.ts';
import type { TokenHolder } from './token-policy.ts';

export interface SetTokenPolicyInput {
  readonly accountId: AccountId;
  readonly changes: Readonly<Partial<Record<TokenHolder, RuleChanges>>>;
}

/**
 * Changes the rules of an account for its tokens. Tokens that exist do not change: `listTokens` finds those that break
 * the rules, and `applyTokenPolicy` shortens them. For a user, an account of others is not found. Returns the rules
 * before and after the change.
 */
export const setTokenPolicy = authorized(
  SET_TOKEN_POLICIES,
  ({
    tokenPolicies,
    clock,
    ...ports
  }: Ports<'tokenPolicies' | 'catalog' | 'services' | 'editions' | 'clock'>) =>
    async (caller, { accountId, changes }: SetTokenPolicyInput) => {
      if (!authorize(caller, SET_TOKEN_POLICIES, { accountId }).ok) return err({ code: 'account_not_found' });
      const known = await refuseWhileOlder(ports);
      if (!known.ok) return known;
      const parse = await readLimitableScopes(ports, accountId);
      return tokenPolicies.set(
        accountId,
        (policy) =>
          changeEach(policy, changes, (before, change, holder) =>
            changedRules({ before, holder }, change, parse),
          ),
        (before, after) => eventBy(caller, policySet(accountId, { before, after }, clock.now())),
      );
    },
);
