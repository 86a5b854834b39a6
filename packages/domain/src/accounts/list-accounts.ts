import { type AccessDenied, authorize } from '../access/authorize.ts';
import type { Caller } from '../access/caller.ts';
import { type Pages, pagesById } from '../paging.ts';
import { ok, type Result } from '../result.ts';
import type { Account } from './account.ts';
import type { AccountRepository } from './account-repository.ts';

export type ListAccounts = (caller: Caller) => Promise<Result<Pages<Account>, AccessDenied>>;

export function listAccounts({ accounts }: { readonly accounts: AccountRepository }): ListAccounts {
  return async (caller) => {
    const allowed = authorize(caller, 'accounts:manage');
    if (!allowed.ok) return allowed;
    return ok(pagesById<Account>((page) => accounts.list(page)));
  };
}
