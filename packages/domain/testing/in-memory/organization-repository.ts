import {
  err,
  type Organization,
  type OrganizationId,
  type OrganizationRepository,
  ok,
  type UserId,
} from '../../src/index.ts';
import type { State } from './state.ts';

export function createInMemoryOrganizationRepository(state: State): OrganizationRepository {
  const membership = (organizationId: OrganizationId, userId: UserId) => `${organizationId}/${userId}`;
  return {
    async insert(organization, audit) {
      if (!state.accounts.has(organization.accountId)) return err({ code: 'account_not_found' });
      const created: Organization = { id: state.nextId() as OrganizationId, ...organization };
      state.events.push(audit(created));
      state.organizations.set(created.id, created);
      return ok(created);
    },
    async findById(id) {
      return state.organizations.get(id);
    },
    async findForUser(id, userId) {
      const organization = state.organizations.get(id);
      return organization && { organization, isMember: state.members.has(membership(id, userId)) };
    },
    async list({ accountId }) {
      return [...state.organizations.values()]
        .filter((organization) => accountId === undefined || organization.accountId === accountId)
        .sort((a, b) => a.id - b.id);
    },
    async addMember({ organizationId, userId }, event) {
      const organization = state.organizations.get(organizationId);
      if (!organization) return err({ code: 'organization_not_found' });
      const user = state.users.get(userId);
      if (!user) return err({ code: 'user_not_found' });
      if (user.accountId !== organization.accountId) return err({ code: 'member_of_another_account' });
      if (state.members.has(membership(organizationId, userId))) return ok(false);
      state.members.add(membership(organizationId, userId));
      state.events.push(event);
      state.tell({ kind: 'membership', organizationId, userId });
      return ok(true);
    },
  };
}
