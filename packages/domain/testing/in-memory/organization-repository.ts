import { err, ok } from '../../src/index.ts';
import {
  changedOrganization,
  type Organization,
  type OrganizationId,
  type OrganizationRepository,
} from '../../src/organizations/index.ts';
import type { UserId } from '../../src/users/index.ts';
import { pageOf } from './page-of.ts';
import type { State } from './state.ts';

export function createInMemoryOrganizationRepository(state: State): OrganizationRepository {
  const membership = (organizationId: OrganizationId, userId: UserId) => `${organizationId}/${userId}`;
  const membersOf = (id: OrganizationId) =>
    [...state.users.keys()].filter((userId) => state.members.has(membership(id, userId)));
  function removeMembership(organizationId: OrganizationId, userId: UserId): boolean {
    const removed = state.members.delete(membership(organizationId, userId));
    if (removed) state.tell({ kind: 'membership', organizationId, userId });
    return removed;
  }
  return {
    async insert(organization, audit) {
      if (!state.accounts.has(organization.accountId)) return err({ code: 'account_not_found' });
      const created: Organization = { id: state.nextId() as OrganizationId, ...organization };
      const event = audit(created);
      if (!state.actorMayAct(event)) return err({ code: 'not_allowed' });
      state.events.push(event);
      state.organizations.set(created.id, created);
      return ok(created);
    },
    async findById(id) {
      return state.organizations.get(id);
    },
    async findForUser(id, { userId, accountId }) {
      const organization = state.organizations.get(id);
      if (organization?.accountId !== accountId) return undefined;
      return { organization, isMember: state.members.has(membership(id, userId)) };
    },
    async list({ accountId, after, limit }) {
      const listed = [...state.organizations.values()].filter(
        (organization) => accountId === undefined || organization.accountId === accountId,
      );
      return pageOf(listed, after, limit);
    },
    async countMembers(id) {
      return membersOf(id).length;
    },
    async update(id, changes, audit) {
      const before = state.organizations.get(id);
      if (!before) return err({ code: 'organization_not_found' });
      const event = audit(before);
      if (!state.actorMayAct(event)) return err({ code: 'not_allowed' });
      const organization = changedOrganization(before, changes);
      if (organization === before) return ok({ organization, already: true });
      state.events.push(event);
      state.organizations.set(id, organization);
      return ok({ organization, already: false });
    },
    async delete(id, audit) {
      const organization = state.organizations.get(id);
      if (!organization) return err({ code: 'organization_not_found' });
      const members = membersOf(id);
      const deleted = { organization, members: members.length };
      const event = audit(deleted);
      if (!state.actorMayAct(event)) return err({ code: 'not_allowed' });
      state.events.push(event);
      for (const userId of members) removeMembership(id, userId);
      state.organizations.delete(id);
      return ok(deleted);
    },
    async addMember({ organizationId, userId, at }, event) {
      if (!state.actorMayAct(event)) return err({ code: 'not_allowed' });
      const organization = state.organizations.get(organizationId);
      if (!organization) return err({ code: 'organization_not_found' });
      const user = state.users.get(userId);
      if (!user) return err({ code: 'user_not_found' });
      if (user.accountId !== organization.accountId) return err({ code: 'member_of_another_account' });
      if (state.members.has(membership(organizationId, userId))) return ok(false);
      state.members.set(membership(organizationId, userId), at);
      state.events.push(event);
      state.tell({ kind: 'membership', organizationId, userId });
      return ok(true);
    },
    async removeMember({ organizationId, userId }, event) {
      if (!state.actorMayAct(event)) return err({ code: 'not_allowed' });
      if (!state.organizations.has(organizationId)) return err({ code: 'organization_not_found' });
      const removed = removeMembership(organizationId, userId);
      if (removed) state.events.push(event);
      return ok(removed);
    },
  };
}
