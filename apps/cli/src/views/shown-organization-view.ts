import type { Organization, OrganizationMember } from '@gatehouse/domain/organizations';
import { formatInstant } from '@gatehouse/domain/time';
import { type Column, shortTime } from '@gatehouse/extension-kit/cli';
import { createTable } from '../output/table.ts';
import type { ItemView } from '../output/view.ts';
import { organizationView } from './organization-view.ts';

/** An organization with its members. */
interface ShownOrganization extends Organization {
  readonly members: readonly OrganizationMember[];
}

/** Shows one organization, and its members with their rights. */
export const shownOrganizationView: ItemView<ShownOrganization> = {
  document: (organization) => ({
    ...organizationView.document(organization),
    members: organization.members.map(({ user: { id, email, name, role }, addedAt }) => ({
      ...{ id, email, name, role },
      added_at: formatInstant(addedAt),
    })),
  }),
  columns: organizationView.columns,
  below: ({ members }, table) =>
    members.length === 0
      ? 'There are no members. Admins of the account can access the organization anyway.\n'
      : createTable(MEMBERS, table).rows(members),
};

const MEMBERS: readonly Column<OrganizationMember>[] = [
  { title: 'MEMBER', value: ({ user }) => user.email, essential: true, flexible: true },
  { title: 'NAME', value: ({ user }) => user.name, essential: true, flexible: true },
  { title: 'ROLE', value: ({ user }) => user.role, essential: true },
  { title: 'ADDED', value: ({ addedAt }) => shortTime(addedAt) },
];
