import type { LinkCodeHash, OpenResetLink, ResetLinkId } from '@gatehouse/domain/links';
import { sql } from 'kysely';
import type { Queries } from '../database/schema.ts';
import { type Condition, type Moment, not, or } from '../database/statements/conditions.ts';
import { bytesOf, isMadeByAdmin, isMailed } from './link-records.ts';

/** Whether the user is or ever was an admin. Uses the index once_admins_pkey. */
const WAS_ADMIN: Condition = sql`exists (select from once_admins as once where once.user_id = users.id)`;

/** Whether someone asked for the link on a page. A server of the previous version keeps the mark when it replaces the link. */
const IS_REQUESTED = sql<boolean>`(link.is_requested and ${isMailed('link')})`;

/**
 * Selects the link with this code and its user, if the link has not expired and neither the user is disabled nor the
 * account suspended. If an admin made it, the admin must still be one. If an admin made it or someone asked for it, the user must never have
 * been an admin.
 */
export const selectUsable = (db: Queries, hash: LinkCodeHash, at: Moment) =>
  selectLiving(db, at).where('link.code_hash', '=', bytesOf(hash));

/** Selects the links that can be used, as `selectUsable` does, with their users. */
export function selectLiving(db: Queries, at: Moment) {
  return db
    .selectFrom('reset_links as link')
    .innerJoin('users', 'users.id', 'link.user_id')
    .innerJoin('accounts', 'accounts.id', 'users.account_id')
    .select([
      'link.id as link_id',
      'link.created_at as link_created_at',
      'link.expires_at as link_expires_at',
      'link.made_by as link_made_by',
      isMailed('link').as('link_is_mailed'),
      IS_REQUESTED.as('link_is_requested'),
      'users.id',
      'users.account_id as accountId',
      'users.kind',
      'users.email',
      'users.name',
      'users.role',
      'users.created_at as createdAt',
      'users.disabled_at as disabledAt',
      'users.confirmed_until as confirmedUntil',
    ])
    .where('link.expires_at', '>', at)
    .where('users.disabled_at', 'is', null)
    .where('accounts.suspended_at', 'is', null)
    .where(isMadeByAdmin('link.made_by', 'users.account_id'))
    .where(or(sql`link.made_by is null and not ${IS_REQUESTED}`, not(WAS_ADMIN)));
}

type Row = Awaited<ReturnType<ReturnType<typeof selectUsable>['executeTakeFirstOrThrow']>>;

export function toOpenResetLink({
  link_id: id,
  link_created_at: createdAt,
  link_expires_at: expiresAt,
  link_made_by: madeBy,
  link_is_mailed: isLinkMailed,
  link_is_requested: isRequested,
  ...user
}: Row): OpenResetLink {
  const link = {
    ...{ id: id as ResetLinkId, userId: user.id, createdAt, expiresAt, madeBy },
    ...{ isMailed: isLinkMailed, isRequested },
  };
  return Object.freeze({ link: Object.freeze(link), user: Object.freeze(user) });
}
