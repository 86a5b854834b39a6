import { authorize, MANAGE_ORGANIZATIONS, type Operator, type Principal } from '../access/index.ts';
import { err, ok, type Result } from '../result.ts';
import type { Organization, OrganizationId } from './organization.ts';
import type { OrganizationRepository } from './organization-repository.ts';

/** Finds an organization that the caller manages. To an admin, an organization of another account counts as absent. */
export async function findManaged(
  organizations: Pick<OrganizationRepository, 'findById'>,
  caller: Principal | Operator,
  id: OrganizationId,
): Promise<Result<Organization, { readonly code: 'organization_not_found' }>> {
  const organization = await organizations.findById(id);
  const isOwn = organization && authorize(caller, MANAGE_ORGANIZATIONS, organization).ok;
  return isOwn ? ok(organization) : err({ code: 'organization_not_found' });
}
