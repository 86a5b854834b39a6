import { type AccessDenied, authorize } from '../access/authorize.ts';
import type { Caller } from '../access/caller.ts';
import type { AccountId } from '../accounts/account.ts';
import type { AccountNotFound, AccountRepository } from '../accounts/account-repository.ts';
import { type Pages, pagesById } from '../paging.ts';
import { err, ok, type Result } from '../result.ts';
import type { Organization } from './organization.ts';
import type { OrganizationRepository } from './organization-repository.ts';

export interface ListOrganizationsPorts {
  readonly accounts: AccountRepository;
  readonly organizations: OrganizationRepository;
}

export type ListOrganizations = (
  caller: Caller,
  filter: { readonly accountId?: AccountId | undefined },
) => Promise<Result<Pages<Organization>, AccessDenied | AccountNotFound>>;

export function listOrganizations({ accounts, organizations }: ListOrganizationsPorts): ListOrganizations {
  return async (caller, { accountId }) => {
    const allowed = authorize(caller, 'orgs:manage');
    if (!allowed.ok) return allowed;
    if (accountId !== undefined && !(await accounts.findById(accountId))) {
      return err({ code: 'account_not_found' });
    }
    const filter = accountId === undefined ? {} : { accountId };
    return ok(pagesById<Organization>((page) => organizations.list({ ...filter, ...page })));
  };
}
