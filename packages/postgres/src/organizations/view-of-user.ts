import type { OrganizationId, OrganizationReader } from '@gatehouse/domain/organizations';
import { sql } from 'kysely';
import type { Queries } from '../database/schema.ts';

export const organizationColumns = [
  'id',
  'account_id as accountId',
  'name',
  'description',
  'created_at as createdAt',
] as const;

/** Selects an organization of the user's account, and whether the user is a member of it. */
export function selectViewOfUser(
  queries: Queries,
  { id, userId, accountId }: OrganizationReader & { readonly id: OrganizationId },
) {
  // With equality, the planner may read another account's row by organizations_pkey to compare the account, which
  // takes longer than finding none. The nearest entry of organizations_account_id takes the same time for both.
  const nearest = queries
    .selectFrom('organizations')
    .selectAll()
    .where(sql<boolean>`(account_id, id) <= (${accountId}, ${id})`)
    .orderBy('account_id', 'desc')
    .orderBy('id', 'desc')
    .limit(1);
  return queries
    .selectFrom(nearest.as('organization'))
    .select(organizationColumns)
    .select((eb) =>
      eb
        .exists(
          // memberships_pkey
          eb
            .selectFrom('memberships')
            .select(sql.lit(1).as('one'))
            .whereRef('organization_id', '=', 'organization.id')
            .where('user_id', '=', userId),
        )
        .$castTo<boolean>()
        .as('isMember'),
    )
    .where('account_id', '=', accountId)
    .where('id', '=', id);
}
