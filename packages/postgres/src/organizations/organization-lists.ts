import type {
  CountedOrganization,
  OrganizationListQuery,
  OrganizationLists,
} from '@gatehouse/domain/organizations';
import { sql } from 'kysely';
import type { Database } from '../database/database.ts';
import type { Queries } from '../database/schema.ts';
import { userColumns } from '../users/user-records.ts';
import { organizationColumns } from './organization-records.ts';

/** Creates the lists of organizations and members in PostgreSQL. */
export function createPostgresOrganizationLists({ queries }: Database): OrganizationLists {
  return {
    async list(query) {
      const page = await selectPage(queries, query).execute();
      return page.map((organization) => Object.freeze(organization));
    },

    async listCounted({ countLimit, ...query }) {
      const page = await selectPage(queries, query)
        // Uses the index memberships_pkey.
        .select(
          sql<number>`(
            select count(*)::int4 from (
              select from memberships where organization_id = organizations.id limit ${countLimit}
            ) as counted)`.as('members'),
        )
        .execute();
      return page.map(
        ({ members, ...organization }): CountedOrganization =>
          Object.freeze({ organization: Object.freeze(organization), members }),
      );
    },

    async listMembers({ organizationId, after, limit }) {
      // Uses the index memberships_pkey.
      let page = queries
        .selectFrom('memberships')
        .innerJoin('users', 'users.id', 'memberships.user_id')
        .select(userColumns.map((column) => `users.${column}` as const))
        .select('memberships.created_at as addedAt')
        .where('memberships.organization_id', '=', organizationId)
        .orderBy('memberships.user_id')
        .limit(limit);
      if (after !== undefined) page = page.where('memberships.user_id', '>', after);
      return (await page.execute()).map(({ addedAt, ...user }) =>
        Object.freeze({ user: Object.freeze(user), addedAt }),
      );
    },
  };
}

/** Selects one page of organizations. PostgreSQL reads the indexes forwards or backwards, in the order of the ids. */
function selectPage(queries: Queries, query: OrganizationListQuery) {
  const { accountId, memberId, search, order = 'oldest', after, limit } = query;
  const [direction, follows] = order === 'oldest' ? (['asc', '>'] as const) : (['desc', '<'] as const);
  let page = queries
    .selectFrom('organizations')
    .select(organizationColumns.map((column) => `organizations.${column}` as const))
    .where('organizations.account_id', '=', accountId)
    .limit(limit);
  if (search !== undefined)
    page = page.where(sql<boolean>`strpos(lower(organizations.name), lower(${search}::text)) > 0`);
  if (memberId === undefined) {
    // Uses the index organizations_account_id.
    const all = page.orderBy('organizations.id', direction);
    return after === undefined ? all : all.where('organizations.id', follows, after);
  }
  // The order is that of the index memberships_user_organization, so PostgreSQL reads the memberships of this page
  // only.
  const ofMember = page
    .innerJoin('memberships as own', 'own.organization_id', 'organizations.id')
    .where('own.user_id', '=', memberId)
    .orderBy('own.organization_id', direction);
  return (
    after === undefined ? ofMember : ofMember.where('own.organization_id', follows, after)
  ) as typeof page;
}
