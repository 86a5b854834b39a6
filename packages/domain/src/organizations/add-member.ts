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
import type {
  MemberOfAnotherAccount,
  OrganizationNotFound,
  OrganizationRepository,
} from './organization-repository.ts';

export interface AddMemberPorts {
  readonly organizations: OrganizationRepository;
  readonly users: UserRepository;
  readonly clock: Clock;
}

export interface AddedMember {
  readonly organization: Organization;
  readonly user: User;
  /** The user was a member before; nothing changed. */
  readonly already: boolean;
}

export type AddMember = (
  caller: Caller,
  input: { readonly organizationId: OrganizationId; readonly email: string },
) => Promise<
  Result<AddedMember, AccessDenied | OrganizationNotFound | UserNotFound | MemberOfAnotherAccount>
>;

export function addMember({ organizations, users, clock }: AddMemberPorts): AddMember {
  return async (caller, { organizationId, email }) => {
    const allowed = authorize(caller, 'orgs:manage');
    if (!allowed.ok) return allowed;
    const organization = await organizations.findById(organizationId);
    if (!organization) return err({ code: 'organization_not_found' });
    const user = await users.findByEmail(emailKey(email));
    if (!user) return err({ code: 'user_not_found' });

    const at = clock.now();
    const added = await organizations.addMember(
      { organizationId, userId: user.id, at },
      eventBy(allowed.value, {
        at,
        action: 'organization.member_added',
        ...onOrganization(organization),
        details: { user_id: user.id, email: user.email },
      }),
    );
    return added.ok ? ok({ organization, user, already: !added.value }) : added;
  };
}
