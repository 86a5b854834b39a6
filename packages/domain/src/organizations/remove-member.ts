import { type AccessDenied, authorize } from '../access/authorize.ts';
import type { Caller } from '../access/caller.ts';
import { eventBy } from '../audit/event-by.ts';
import { err, ok, type Result } from '../result.ts';
import type { Clock } from '../time/clock.ts';
import { emailKey } from '../users/email.ts';
import type { User } from '../users/user.ts';
import type { UserNotFound, UserRepository } from '../users/user-repository.ts';
import type { Organization, OrganizationId } from './organization.ts';
import { onOrganization } from './organization-events.ts';
import type { OrganizationNotFound, OrganizationRepository } from './organization-repository.ts';

export interface RemoveMemberPorts {
  readonly organizations: OrganizationRepository;
  readonly users: UserRepository;
  readonly clock: Clock;
}

export interface RemovedMember {
  readonly organization: Organization;
  readonly user: User;
  /** The user was no member before; nothing changed. */
  readonly already: boolean;
}

export type RemoveMember = (
  caller: Caller,
  input: { readonly organizationId: OrganizationId; readonly email: string },
) => Promise<Result<RemovedMember, AccessDenied | OrganizationNotFound | UserNotFound>>;

/** Ends a membership. An admin goes on seeing the organization, as all of the account's. */
export function removeMember({ organizations, users, clock }: RemoveMemberPorts): RemoveMember {
  return async (caller, { organizationId, email }) => {
    const allowed = authorize(caller, 'orgs:manage');
    if (!allowed.ok) return allowed;
    const organization = await organizations.findById(organizationId);
    if (!organization) return err({ code: 'organization_not_found' });
    const user = await users.findByEmail(emailKey(email));
    if (!user) return err({ code: 'user_not_found' });

    const removed = await organizations.removeMember(
      { organizationId, userId: user.id },
      eventBy(allowed.value, {
        at: clock.now(),
        action: 'organization.member_removed',
        ...onOrganization(organization),
        details: { user_id: user.id, email: user.email },
      }),
    );
    return removed.ok ? ok({ organization, user, already: !removed.value }) : removed;
  };
}
