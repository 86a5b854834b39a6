import type { Instant } from '@gatehouse/domain/time';
import {
  type AccountUserQuery,
  emailKey,
  type ListedUser,
  type User,
  type UserDetails,
  type UserRepository,
} from '@gatehouse/domain/users';
import { type RawBuilder, type SqlBool, sql } from 'kysely';
import { onPrimary } from '../database/primary/primary-only.ts';
import type { Queries } from '../database/schema.ts';
import { beginsWith } from '../tokens/lists/text-search.ts';
import { findDisableFacts } from './disable-facts.ts';
import { liveTokensAt, toUser, USER } from './user-facts.ts';

/**
 * The newest sign-in of a user `users`, by the index audit_events_actor. Few events of a user are newer: a
 * user who acts on pages has signed in within the lifetime of a session.
 */
const LAST_SIGN_IN = sql<Instant | null>`(
  select at from audit_events
  where actor = jsonb_build_object('kind', 'user', 'id', users.id)
    and (action = 'session.created' or (action = 'token.created' and details->>'kind' = 'sign-in'))
  order by id desc limit 1)`;

type Row = User & { readonly lastSignInAt: Instant | null; readonly liveTokens: number };

/** The condition that a search finds a user: by the beginning of the email, or of any word of the name. */
export function isFoundBy(search: string): RawBuilder<SqlBool> {
  return sql<SqlBool>`(${beginsWith(sql`users.email_key`, sql`${emailKey(search)}::text`)}
    or ${beginsWith(sql`lower(users.name)`, sql`lower(${search}::text)`)}
    or strpos(lower(users.name), ' ' || lower(${search}::text)) > 0)`;
}

/** Creates the reads of users for the pages of an admin. */
export function accountUsers(
  queries: Queries,
): Pick<UserRepository, 'listOfAccount' | 'findDetails' | 'findDisableFacts'> {
  return {
    async listOfAccount(query) {
      const { limit, countLimit, now } = query;
      const { backwards, reading, shown, beyond } = readingOf(query);
      const selected = sql`account_id = ${query.accountId} and ${filtersOf(query)}`;
      const { rows } = await sql<Row & { readonly total: number }>`
        with page as materialized (
          select users.* from users where ${selected} and ${beyond} order by ${reading} limit ${limit + 1}
        )
        select ${USER}, ${LAST_SIGN_IN} as "lastSignInAt", ${liveTokensAt(now)} as "liveTokens",
          (select count(*)::integer from (
            select from users where ${selected} limit ${countLimit}) as counted) as total
        from page as users where ${onPrimary} order by ${shown}`.execute(queries);
      const more = rows.length > limit;
      const kept = backwards ? rows.slice(more ? 1 : 0) : rows.slice(0, limit);
      return { users: kept.map(toListed), more, total: rows[0]?.total ?? 0 };
    },

    async findDetails(id, { at, limit }) {
      // Uses the indexes users_pkey, sign_in_means_pkey, identities_user_id_issuer_key, memberships_user_id and
      // organizations_pkey.
      const { rows } = await sql<Row & Omit<UserDetails, keyof ListedUser>>`
        select ${USER}, users.second_factor_at as "secondFactorAt",
          users.password_hash is distinct from means.unknown_hash as "hasPassword",
          means.break_glass_at as "breakGlassAt",
          coalesce((
            select jsonb_agg(jsonb_build_object('issuer', issuer, 'subject', subject,
              'confirmedAt', (extract(epoch from confirmed_at) * 1000)::bigint) order by linked_at, issuer)
            from identities where identities.user_id = users.id
          ), '[]') as identities,
          ${LAST_SIGN_IN} as "lastSignInAt", ${liveTokensAt(at)} as "liveTokens",
          coalesce((
            select jsonb_agg(jsonb_build_object('id', id, 'name', name) order by lower(name), id) from (
              select organizations.id, organizations.name from memberships
                join organizations on organizations.id = memberships.organization_id
              where memberships.user_id = users.id order by lower(organizations.name), organizations.id
              limit ${limit}) as member_of
          ), '[]') as organizations
        from users left join sign_in_means as means on means.user_id = users.id
        where users.id = ${id} and ${onPrimary}`.execute(queries);
      const [row] = rows;
      if (row === undefined) return undefined;
      const { secondFactorAt, hasPassword, breakGlassAt, identities, organizations } = row;
      return { ...toListed(row), secondFactorAt, hasPassword, breakGlassAt, identities, organizations };
    },

    findDisableFacts: findDisableFacts(queries),
  };
}

function filtersOf({ search, role, kind, isDisabled }: AccountUserQuery): RawBuilder<SqlBool> {
  const conditions = [
    ...(search === undefined ? [] : [isFoundBy(search)]),
    ...(role === undefined ? [] : [sql<SqlBool>`users.role = ${role}`]),
    ...(kind === undefined ? [] : [sql<SqlBool>`users.kind = ${kind}`]),
    ...(isDisabled === undefined ? [] : [sql<SqlBool>`(users.disabled_at is not null) = ${isDisabled}`]),
  ];
  return conditions.length === 0 ? sql<SqlBool>`true` : sql<SqlBool>`${sql.join(conditions, sql` and `)}`;
}

/**
 * The parts of a statement that reads a page from its cursor, forwards or backwards. Names are compared byte by byte,
 * as the index users_account_name does; the order `newest` uses users_account_id.
 */
function readingOf({ order, cursor }: Pick<AccountUserQuery, 'order' | 'cursor'>) {
  const backwards = cursor !== undefined && 'before' in cursor;
  const from = cursor && ('before' in cursor ? cursor.before : cursor.after);
  if (order === 'newest') {
    const [reading, shown] = backwards
      ? [sql`users.id`, sql`users.id desc`]
      : [sql`users.id desc`, sql`users.id desc`];
    const beyond = from && (backwards ? sql`users.id > ${from.id}` : sql`users.id < ${from.id}`);
    return { backwards, reading, shown, beyond: beyond ?? sql`true` };
  }
  const name = sql`lower(users.name)`;
  const shown = sql`${name} using ~<~, users.id`;
  const reading = backwards ? sql`${name} using ~>~, users.id desc` : shown;
  if (from === undefined) return { backwards, reading, shown, beyond: sql`true` };
  const value = sql`lower(${from.value}::text)`;
  // The condition before `and` gives the range of the index.
  const beyond = backwards
    ? sql`${name} ~<=~ ${value} and (${name} ~<~ ${value} or users.id < ${from.id})`
    : sql`${name} ~>=~ ${value} and (${name} ~>~ ${value} or users.id > ${from.id})`;
  return { backwards, reading, shown, beyond };
}

function toListed({ lastSignInAt, liveTokens, ...row }: Row): ListedUser {
  return { user: toUser(row), lastSignInAt, liveTokens };
}
