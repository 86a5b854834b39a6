import { type AccessDenied, authorize } from '../access/authorize.ts';
import type { Principal, RefusedCaller } from '../access/caller.ts';
import type { Result } from '../result.ts';
import type { Organization, OrganizationId } from './organization.ts';
import { decideOrganizationAccess } from './organization-access.ts';
import type { OrganizationRepository } from './organization-repository.ts';

/** Text that is no id is given as undefined: whoever may not read organizations learns nothing from it. */
export type GetOrganization = (
  caller: Principal | RefusedCaller,
  id: OrganizationId | undefined,
) => Promise<Result<Organization, AccessDenied>>;

export function getOrganization({
  organizations,
}: {
  readonly organizations: OrganizationRepository;
}): GetOrganization {
  return async (caller, id) => {
    const reader = authorize(caller, 'orgs:read');
    if (!reader.ok) return reader;
    const found = id === undefined ? undefined : await organizations.findForUser(id, reader.value);
    return decideOrganizationAccess(caller, found);
  };
}
