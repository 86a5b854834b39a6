import { type AccessDenied, authorize } from '../access/authorize.ts';
import type { Caller } from '../access/caller.ts';
import { eventBy } from '../audit/event-by.ts';
import type { Result } from '../result.ts';
import type { Clock } from '../time/clock.ts';
import type { OrganizationId } from './organization.ts';
import { onOrganization } from './organization-events.ts';
import type {
  DeletedOrganization,
  OrganizationNotFound,
  OrganizationRepository,
} from './organization-repository.ts';

export type DeleteOrganization = (
  caller: Caller,
  id: OrganizationId,
) => Promise<Result<DeletedOrganization, AccessDenied | OrganizationNotFound>>;

/** Deletes an organization and its memberships; the audit log keeps its name. */
export function deleteOrganization({
  organizations,
  clock,
}: {
  readonly organizations: OrganizationRepository;
  readonly clock: Clock;
}): DeleteOrganization {
  return async (caller, id) => {
    const allowed = authorize(caller, 'orgs:manage');
    if (!allowed.ok) return allowed;
    return organizations.delete(id, ({ organization, members }) =>
      eventBy(allowed.value, {
        at: clock.now(),
        action: 'organization.deleted',
        ...onOrganization(organization),
        details: { name: organization.name, members },
      }),
    );
  };
}
