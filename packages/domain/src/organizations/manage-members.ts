import { authorized, MANAGE_ORGANIZATIONS } from '../access/index.ts';
import { eventBy, eventOf } from '../audit/event-by.ts';
import type { Ports } from '../ports.ts';
import type { BuiltInAction } from '../resources/built-in.ts';
import { ok } from '../result.ts';
import { findNamed, type NamedUser } from '../users/named-user.ts';
import { findManaged } from './managed-organization.ts';
import type { OrganizationId } from './organization.ts';

/*
 * Admins change the members of the organizations of their account, and operators those of every account. To an admin,
 * an organization or a user of another account counts as absent. Each change is refused if the admin loses the rights
 * before the change is made (`OrganizationRepository`).
 */

/** Makes a user of the organization's account a member of the organization. */
export const addMember = changingMember('addMember', 'organization.member_added');

/**
 * Removes a member from an organization. An admin who is removed still sees the organization, because admins see all
 * organizations of the account.
 */
export const removeMember = changingMember('removeMember', 'organization.member_removed');

/** A user and an organization of the same account. */
export interface MemberInput {
  readonly organizationId: OrganizationId;
  readonly user: NamedUser;
}

/** Makes a use case that calls this method of the repository to add or remove a member. */
function changingMember(
  change: 'addMember' | 'removeMember',
  action: Extract<BuiltInAction, `organization.member_${string}`>,
) {
  return authorized(
    MANAGE_ORGANIZATIONS,
    ({ organizations, users, clock }: Ports<'organizations' | 'users' | 'clock'>) =>
      async (caller, { organizationId, user: named }: MemberInput) => {
        const found = await findManaged(organizations, caller, organizationId);
        if (!found.ok) return found;
        const organization = found.value;
        const known = await findNamed(users, caller, named);
        if (!known.ok) return known;
        const user = known.value;
        const at = clock.now();
        const details = { name: organization.name, user_id: user.id, email: user.email };
        const event = eventOf(at, action, organization, details);
        const member = { organizationId, userId: user.id, at };
        const changed = await organizations[change](member, eventBy(caller, event));
        return changed.ok ? ok({ organization, user, already: !changed.value }) : changed;
      },
  );
}
