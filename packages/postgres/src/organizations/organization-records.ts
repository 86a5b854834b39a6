import type { OrganizationId, OrganizationReader } from '@gatehouse/domain/organizations';
import { sql } from 'kysely';
import { selected } from '../database/domain-names.ts';
import type { Queries } from '../database/schema.ts';

/** The columns of organizations, under the names of the domain. */
export const organizationColumns = selected('id', 'accountId', 'name', 'description', 'createdAt');

/** A look-up of an organization: the id of the organization, and the user who reads it. */
export interface AskedView extends OrganizationReader {
  readonly id: OrganizationId;
}

/** Several look-ups, as one array for each property of `AskedView`. */
export interface AskedViews {
  readonly ids: readonly OrganizationId[];
  readonly userIds: readonly AskedView['userId'][];
  readonly accountIds: readonly AskedView['accountId'][];
}

/**
 * Selects the organizations that are looked up and belong to the account of their reader. Each row has the position of
 * its look-up, and says whether the reader is a member. PostgreSQL finds each organization separately, however many are
 * looked up.
 */
export function selectViewsOfUsers(queries: Queries, { ids, userIds, accountIds }: AskedViews) {
  const asked = sql<AskedView & { readonly position: number }>`
    unnest(${ids}::bigint[], ${userIds}::bigint[], ${accountIds}::bigint[]) with ordinality`.as<'asked'>(
    sql`asked (id, "userId", "accountId", position)`,
  );
  // With `=` on both columns, the planner may read an organization of another account by the index organizations_pkey
  // and then compare the account. That takes longer than finding no organization, and the time would reveal that the
  // organization exists. Finding the nearest entry of the index organizations_account_id takes the same time in both
  // cases.
  const nearest = queries
    .selectFrom('organizations')
    .selectAll()
    .where(sql<boolean>`(account_id, id) <= (asked."accountId", asked.id)`)
    .orderBy('account_id', 'desc')
    .orderBy('id', 'desc')
    .limit(1);
  return queries
    .selectFrom(asked)
    .innerJoinLateral(nearest.as('organization'), (join) =>
      join.onRef('organization.account_id', '=', 'asked.accountId').onRef('organization.id', '=', 'asked.id'),
    )
    .select(organizationColumns.map((column) => `organization.${column}` as const))
    .select((eb) => [
      sql<number>`asked.position::int4`.as('position'),
      eb
        .exists(
          // Uses the index memberships_pkey.
          eb
            .selectFrom('memberships')
            .select(sql.lit(1).as('one'))
            .whereRef('organization_id', '=', 'organization.id')
            .whereRef('user_id', '=', 'asked.userId'),
        )
        .$castTo<boolean>()
        .as('isMember'),
    ]);
}
