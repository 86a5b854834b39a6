import { type AccessDenied, authorize } from '../access/authorize.ts';
import type { Caller } from '../access/caller.ts';
import type { AuditEvent } from '../audit/audit-event.ts';
import { eventBy } from '../audit/event-by.ts';
import { err, ok, type Result } from '../result.ts';
import type { Clock } from '../time/clock.ts';
import type { Instant } from '../time/instant.ts';
import { emailKey } from '../users/email.ts';
import type { User } from '../users/user.ts';
import type { UserNotFound, UserRepository } from '../users/user-repository.ts';
import type { Organization, OrganizationId } from './organization.ts';
import { onOrganization } from './organization-events.ts';
import type { OrganizationNotFound, OrganizationRepository } from './organization-repository.ts';

export interface MembershipPorts {
  readonly organizations: OrganizationRepository;
  readonly users: UserRepository;
  readonly clock: Clock;
}

export interface MembershipInput {
  readonly organizationId: OrganizationId;
  readonly email: string;
}

export interface ChangedMembership {
  readonly organization: Organization;
  readonly user: User;
  /** It was so before; nothing changed. */
  readonly already: boolean;
}

export type MembershipRefusal = AccessDenied | OrganizationNotFound | UserNotFound;

interface MembershipChange extends Omit<ChangedMembership, 'already'> {
  readonly at: Instant;
  readonly event: AuditEvent;
}

/** Who is to be a member, or no member any more, of what, and the event that tells of it. */
export async function prepareMembershipChange(
  { organizations, users, clock }: MembershipPorts,
  caller: Caller,
  { organizationId, email }: MembershipInput,
  action: 'organization.member_added' | 'organization.member_removed',
): Promise<Result<MembershipChange, MembershipRefusal>> {
  const allowed = authorize(caller, 'orgs:manage');
  if (!allowed.ok) return allowed;
  const organization = await organizations.findById(organizationId);
  if (!organization) return err({ code: 'organization_not_found' });
  const user = await users.findByEmail(emailKey(email));
  if (!user) return err({ code: 'user_not_found' });
  const at = clock.now();
  const details = { user_id: user.id, email: user.email };
  const event = eventBy(allowed.value, { at, action, ...onOrganization(organization), details });
  return ok({ organization, user, at, event });
}
