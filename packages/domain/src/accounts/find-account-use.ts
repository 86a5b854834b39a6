import { type AccessDenied, authorize } from '../access/authorize.ts';
import type { Caller } from '../access/caller.ts';
import { err, ok, type Result } from '../result.ts';
import type { Clock } from '../time/clock.ts';
import type { Account, AccountId } from './account.ts';
import type { AccountNotFound, AccountRepository, AccountUse } from './account-repository.ts';

/** An account, and what a suspension would block. */
export interface UsedAccount {
  readonly account: Account;
  readonly use: AccountUse;
}

export type FindAccountUse = (
  caller: Caller,
  input: { readonly id: AccountId; readonly limit: number },
) => Promise<Result<UsedAccount, AccessDenied | AccountNotFound>>;

/** Looks up an account with what hangs on it, counted up to `limit`. */
export function findAccountUse({
  accounts,
  clock,
}: {
  readonly accounts: AccountRepository;
  readonly clock: Clock;
}): FindAccountUse {
  return async (caller, { id, limit }) => {
    const allowed = authorize(caller, 'accounts:manage');
    if (!allowed.ok) return allowed;
    const account = await accounts.findById(id);
    if (!account) return err({ code: 'account_not_found' });
    return ok({ account, use: await accounts.countUse(id, { at: clock.now(), limit }) });
  };
}
