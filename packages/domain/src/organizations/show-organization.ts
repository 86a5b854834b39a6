import { authorized, SHOW_ORGANIZATIONS } from '../access/index.ts';
import type { Ports } from '../ports.ts';
import { err, ok } from '../result.ts';
import type { UserId } from '../users/user.ts';
import type { OrganizationId } from './organization.ts';
import { findOrganizationFor } from './organization-access.ts';

const NOT_FOUND = err({ code: 'organization_not_found' } as const);

/** The number of members on a page. */
const PAGE_SIZE = 50;

export interface ShowOrganizationInput {
  /** Undefined if the text of the id was invalid. The organization then counts as absent. */
  readonly id: OrganizationId | undefined;
  /** The last member of the previous page. */
  readonly after?: UserId | undefined;
}

/**
 * Returns an organization with the number of its members and one page of them, sorted by the ids of the users. Admins
 * and operators see each organization, members those that they belong to. No token is enough: the names and addresses
 * of members are for people.
 */
export const showOrganization = authorized(
  SHOW_ORGANIZATIONS,
  ({ organizations, organizationLists }: Ports<'organizations' | 'organizationLists'>) =>
    async (caller, { id, after }: ShowOrganizationInput) => {
      const found = await findOrganizationFor(organizations, caller, SHOW_ORGANIZATIONS, id);
      if (!found.ok) return found.error.code === 'not_found' ? NOT_FOUND : found;
      const organization = found.value;
      const total = await organizations.countMembers(organization.id);
      const query = { organizationId: organization.id, after, limit: PAGE_SIZE + 1 };
      const members = await organizationLists.listMembers(query);
      const shown = members.slice(0, PAGE_SIZE);
      const next = members.length > PAGE_SIZE ? shown.at(-1)?.user.id : undefined;
      return ok({ organization, total, members: shown, next });
    },
);
