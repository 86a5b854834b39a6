import type { OrganizationId, OrganizationReader } from '@gatehouse/domain/organizations';
import { sql } from 'kysely';
import { selected } from '../database/domain-names.ts';
import type { Queries } from '../database/schema.ts';

/** Selects organizations in the domain's form. */
export const organizationColumns = selected('id', 'accountId', 'name', 'description', 'createdAt');

/** An organization that is looked up, and the user who reads it. */
export interface AskedView extends OrganizationReader {
  readonly id: OrganizationId;
}

/** Organizations that are looked up, as one array for each property of `AskedView`. */
export interface AskedViews {
  readonly ids: readonly OrganizationId[];
  readonly userIds: readonly AskedView['userId'][];
  readonly accountIds: readonly AskedView['accountId'][];
}

/**
 * Selects organizations of users' accounts, each with its position among those asked for and whether the user is a
 * member. Looks each one up by itself, however many are asked for.
 */
export function selectViewsOfUsers(queries: Queries, { ids, userIds, accountIds }: AskedViews) {
  const asked = sql<AskedView & { readonly position: number }>`
    unnest(${ids}::bigint[], ${userIds}::bigint[], ${accountIds}::bigint[]) with ordinality`.as<'asked'>(
    sql`asked (id, "userId", "accountId", position)`,
  );
  // With equality, the planner may read another account's organization by organizations_pkey and then compare the account.
  // That takes longer than finding no organization, and the time would tell that the organization exists. Finding the
  // nearest entry of organizations_account_id takes the same time in both cases.
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
          // Uses the index memberships_pkey
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
