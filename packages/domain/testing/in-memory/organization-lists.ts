import type {
  CountedOrganization,
  OrganizationId,
  OrganizationListQuery,
  OrganizationLists,
  OrganizationMember,
} from '../../src/organizations/index.ts';
import { pageOf } from './page-of.ts';
import type { State } from './state.ts';

export function createInMemoryOrganizationLists(state: State): OrganizationLists {
  function list({ accountId, memberId, search = '', order, after, limit }: OrganizationListQuery) {
    const listed = [...state.organizations.values()].filter(
      ({ id, name, ...organization }) =>
        organization.accountId === accountId &&
        name.toLowerCase().includes(search.toLowerCase()) &&
        (memberId === undefined || state.members.has(`${id}/${memberId}`)),
    );
    return pageOf(listed, after, limit, order === 'newest' ? 'descending' : 'ascending');
  }

  const membersOf = (id: OrganizationId): readonly OrganizationMember[] =>
    [...state.users.values()].flatMap((user) => {
      const addedAt = state.members.get(`${id}/${user.id}`);
      return addedAt === undefined ? [] : [{ user, addedAt }];
    });

  return {
    async list(query) {
      return list(query);
    },
    async listCounted({ countLimit, ...query }) {
      return list(query).map((organization): CountedOrganization => {
        const members = Math.min(membersOf(organization.id).length, countLimit);
        return { organization, members };
      });
    },
    async listMembers({ organizationId, after, limit }) {
      return membersOf(organizationId)
        .filter(({ user }) => after === undefined || user.id > after)
        .toSorted((one, other) => one.user.id - other.user.id)
        .slice(0, limit);
    },
  };
}
