import { type AccessDenied, authorize } from '../access/authorize.ts';
import type { Caller } from '../access/caller.ts';
import type { AccountId } from '../accounts/account.ts';
import type { AccountNotFound, AccountRepository } from '../accounts/account-repository.ts';
import { err, ok, type Result } from '../result.ts';
import type { Organization } from './organization.ts';
import type { OrganizationRepository } from './organization-repository.ts';

export interface ListOrganizationsPorts {
  readonly accounts: AccountRepository;
  readonly organizations: OrganizationRepository;
}

export type ListOrganizations = (
  caller: Caller,
  filter: { readonly accountId?: AccountId },
) => Promise<Result<readonly Organization[], AccessDenied | AccountNotFound>>;

export function listOrganizations({ accounts, organizations }: ListOrganizationsPorts): ListOrganizations {
  return async (caller, filter) => {
    const allowed = authorize(caller, 'orgs:manage');
    if (!allowed.ok) return allowed;
    if (filter.accountId !== undefined && !(await accounts.findById(filter.accountId))) {
      return err({ code: 'account_not_found' });
    }
    return ok(await organizations.list(filter));
  };
}
