import type { AccountId } from '../accounts/account.ts';
import type { Ports } from '../ports.ts';
import { effectiveRules, INITIAL_TOKEN_POLICY, type TokenHolder, type TokenRules } from './token-policy.ts';

/**
 * Reads the rules that hold in an account for tokens of this kind of holder. The store checks them again under its
 * locks, and refuses an account that does not exist.
 */
export async function findRules(
  { tokenPolicies }: Ports<'tokenPolicies'>,
  accountId: AccountId,
  holder: TokenHolder,
): Promise<TokenRules> {
  const found = await tokenPolicies.find(accountId);
  return found ? effectiveRules(found, holder) : INITIAL_TOKEN_POLICY[holder];
}
