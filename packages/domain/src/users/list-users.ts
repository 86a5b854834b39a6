import { type AccessDenied, authorize } from '../access/authorize.ts';
import type { Caller } from '../access/caller.ts';
import type { AccountId } from '../accounts/account.ts';
import type { AccountNotFound, AccountRepository } from '../accounts/account-repository.ts';
import { type Pages, pagesById } from '../paging.ts';
import { err, ok, type Result } from '../result.ts';
import type { User } from './user.ts';
import type { UserRepository } from './user-repository.ts';

export interface ListUsersPorts {
  readonly accounts: AccountRepository;
  readonly users: UserRepository;
}

export type ListUsers = (
  caller: Caller,
  filter: { readonly accountId?: AccountId | undefined },
) => Promise<Result<Pages<User>, AccessDenied | AccountNotFound>>;

export function listUsers({ accounts, users }: ListUsersPorts): ListUsers {
  return async (caller, { accountId }) => {
    const allowed = authorize(caller, 'users:manage');
    if (!allowed.ok) return allowed;
    if (accountId !== undefined && !(await accounts.findById(accountId))) {
      return err({ code: 'account_not_found' });
    }
    const filter = accountId === undefined ? {} : { accountId };
    return ok(pagesById<User>((page) => users.list({ ...filter, ...page })));
  };
}
