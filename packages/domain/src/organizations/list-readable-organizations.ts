import { authorized, type Principal, READ_ORGANIZATION } from '../access/index.ts';
import type { Ports } from '../ports.ts';
import { ok } from '../result.ts';
import type { OrganizationListQuery } from './organization-lists.ts';

export type ListReadableOrganizations = ReturnType<typeof listReadableOrganizations>;

/**
 * Returns one page of the organizations that the caller may read, sorted by id: an admin reads all of the account, a
 * member those that the member belongs to. `getOrganization` allows the caller each of them, and no other.
 */
export const listReadableOrganizations = authorized(
  READ_ORGANIZATION,
  ({ organizationLists }: Ports<'organizationLists'>) =>
    async (
      { accountId, role, userId }: Principal,
      { after, limit }: Pick<OrganizationListQuery, 'after' | 'limit'>,
    ) => {
      const memberId = role === 'admin' ? undefined : userId;
      return ok(await organizationLists.list({ accountId, memberId, after, limit }));
    },
);
