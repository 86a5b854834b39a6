import { type AccessDenied, authorize } from '../access/authorize.ts';
import type { Caller } from '../access/caller.ts';
import { err, ok, type Result } from '../result.ts';
import type { Organization, OrganizationId } from './organization.ts';
import type { OrganizationNotFound, OrganizationRepository } from './organization-repository.ts';

/** An organization, and how many would miss it. */
export interface PeopledOrganization {
  readonly organization: Organization;
  readonly members: number;
}

export type FindOrganization = (
  caller: Caller,
  id: OrganizationId,
) => Promise<Result<PeopledOrganization, AccessDenied | OrganizationNotFound>>;

/** Looks up an organization of whatever account, with the number of its members. */
export function findOrganization({
  organizations,
}: {
  readonly organizations: OrganizationRepository;
}): FindOrganization {
  return async (caller, id) => {
    const allowed = authorize(caller, 'orgs:manage');
    if (!allowed.ok) return allowed;
    const organization = await organizations.findById(id);
    if (!organization) return err({ code: 'organization_not_found' });
    return ok({ organization, members: await organizations.countMembers(id) });
  };
}
