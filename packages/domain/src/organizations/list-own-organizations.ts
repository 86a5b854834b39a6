import { authorized, type Principal, SHOW_ORGANIZATIONS } from '../access/index.ts';
import { counted } from '../paging.ts';
import type { Ports } from '../ports.ts';
import { ok } from '../result.ts';
import type { OrganizationListQuery } from './organization-lists.ts';

/** The number of organizations on a page. */
const PAGE_SIZE = 50;

/** Members are counted exactly up to this number. */
const MAX_COUNTED = 1000;

/**
 * Returns one page of the organizations that the user sees, with the numbers of their members. An admin sees all of the
 * account, a member those that the member belongs to. Also returns the id after which the next page starts.
 */
export const listOwnOrganizations = authorized(
  SHOW_ORGANIZATIONS,
  ({ organizationLists }: Ports<'organizationLists'>) =>
    async (
      { accountId, role, userId }: Principal,
      { search, order, after }: Pick<OrganizationListQuery, 'search' | 'order' | 'after'> = {},
    ) => {
      const found = await organizationLists.listCounted({
        accountId,
        memberId: role === 'admin' ? undefined : userId,
        search: search === '' ? undefined : search,
        order,
        after,
        limit: PAGE_SIZE + 1,
        countLimit: MAX_COUNTED + 1,
      });
      const shown = found.slice(0, PAGE_SIZE);
      return ok({
        organizations: shown.map(({ organization, members }) => ({
          ...organization,
          members: counted(members, MAX_COUNTED),
        })),
        next: found.length > PAGE_SIZE ? shown.at(-1)?.organization.id : undefined,
      });
    },
);
