import { authorized } from '../access/authorized.ts';
import type { Operator, Principal } from '../access/caller.ts';
import { MANAGE_ORGANIZATIONS } from '../access/rules.ts';
import { eventBy, eventOf } from '../audit/event-by.ts';
import type { Ports } from '../ports.ts';
import { err, ok } from '../result.ts';
import { emailKey } from '../users/email.ts';
import type { OrganizationId } from './organization.ts';

type MembershipPorts = Ports<'organizations' | 'users' | 'clock'>;

interface MembershipInput {
  readonly organizationId: OrganizationId;
  readonly email: string;
}

export const addMember = authorized(
  MANAGE_ORGANIZATIONS,
  (ports: MembershipPorts) => async (caller, input: MembershipInput) => {
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
  (ports: MembershipPorts) => async (caller, input: MembershipInput) => {
    const change = await prepareChange(ports, caller, input, 'organization.member_removed');
    if (!change.ok) return change;
    const { organization, user, event } = change.value;
    const member = { organizationId: organization.id, userId: user.id };
    const removed = await ports.organizations.removeMember(member, event);
    return removed.ok ? ok({ organization, user, already: !removed.value }) : removed;
  },
);

async function prepareChange(
  { organizations, users, clock }: MembershipPorts,
  caller: Principal | Operator,
  { organizationId, email }: MembershipInput,
  action: 'organization.member_added' | 'organization.member_removed',
) {
  const organization = await organizations.findById(organizationId);
  if (!organization) return err({ code: 'organization_not_found' });
  const user = await users.findByEmail(emailKey(email));
  if (!user) return err({ code: 'user_not_found' });
  const at = clock.now();
  const details = { user_id: user.id, email: user.email };
  return ok({ organization, user, at, event: eventBy(caller, eventOf(at, action, organization, details)) });
}
