import { authorized } from '../access/authorized.ts';
import type { Operator, Principal } from '../access/caller.ts';
import { MANAGE_ORGANIZATIONS } from '../access/rules.ts';
import { err, ok } from '../result.ts';
import type { Clock } from '../time/clock.ts';
import { emailKey } from '../users/email.ts';
import type { UserRepository } from '../users/user-repository.ts';
import { organizationEvent } from './manage-organizations.ts';
import type { OrganizationId } from './organization.ts';
import type { OrganizationRepository } from './organization-repository.ts';

interface Ports {
  readonly organizations: OrganizationRepository;
  readonly users: UserRepository;
  readonly clock: Clock;
}

interface MembershipInput {
  readonly organizationId: OrganizationId;
  readonly email: string;
}

export const addMember = authorized(
  MANAGE_ORGANIZATIONS,
  (ports: Ports) => async (caller, input: MembershipInput) => {
    const change = await prepareChange(ports, caller, input, 'organization.member_added');
    if (!change.ok) return change;
    const { organization, user, at, event } = change.value;
    const member = { organizationId: organization.id, userId: user.id, at };
    const added = await ports.organizations.addMember(member, event);
    return added.ok ? ok({ organization, user, already: !added.value }) : added;
  },
);

/** Removes a member. An admin still sees the organization, like every other of the account. */
export const removeMember = authorized(
  MANAGE_ORGANIZATIONS,
  (ports: Ports) => async (caller, input: MembershipInput) => {
    const change = await prepareChange(ports, caller, input, 'organization.member_removed');
    if (!change.ok) return change;
    const { organization, user, event } = change.value;
    const member = { organizationId: organization.id, userId: user.id };
    const removed = await ports.organizations.removeMember(member, event);
    return removed.ok ? ok({ organization, user, already: !removed.value }) : removed;
  },
);

async function prepareChange(
  { organizations, users, clock }: Ports,
  caller: Principal | Operator,
  { organizationId, email }: MembershipInput,
  action: 'organization.member_added' | 'organization.member_removed',
) {
  const organization = await organizations.findById(organizationId);
  if (!organization) return err({ code: 'organization_not_found' });
  const user = await users.findByEmail(emailKey(email));
  if (!user) return err({ code: 'user_not_found' });
  const at = clock.now();
  const event = organizationEvent(caller, { at, action }, organization, {
    user_id: user.id,
    email: user.email,
  });
  return ok({ organization, user, at, event });
}
