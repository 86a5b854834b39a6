import type { Operator, Principal } from '../access/caller.ts';
import type { AccountId } from '../accounts/account.ts';
import type { Instant } from '../time/instant.ts';
import type { GuardFacts } from './guards.ts';

/** The facts about a caller that guards get. */
export function guardFacts(caller: Principal | Operator, accountId: AccountId, at: Instant): GuardFacts {
  const isUser = caller.kind === 'user';
  return {
    accountId,
    by: { user: isUser ? caller.userId : null, operator: !isUser || caller.operator !== undefined },
    at,
  };
}
