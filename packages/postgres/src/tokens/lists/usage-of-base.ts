import type { AccountId } from '@gatehouse/domain/accounts';
import type { Instant } from '@gatehouse/domain/time';
import type { AttentionQuery } from '@gatehouse/domain/tokens';
import { type RawBuilder, type SqlBool, sql } from 'kysely';
import { moment } from '../../database/statements/conditions.ts';
import { isAccepted } from './sections.ts';

/** The day of the last use; minus infinity for a token that was never used. */
const DAY = sql`coalesce(usage.last_used_on, '-infinity')`;

/** Joins `base`, which has all tokens of a small section, with their usage. */
export const BASE_WITH_USAGE = sql`base as tokens join base_usage as usage on usage.token_id = tokens.id`;

/**
 * Returns the part `base_usage` of a statement: the usage of the tokens in `base`. It reads one range of an index that
 * contains all columns: token_usage_of_account, or token_usage_refused for refused tokens.
 */
export function usageOfBase(
  accountId: AccountId,
  { refused = false, where = sql`true` } = {},
): RawBuilder<unknown> {
  const [column, condition] = refused
    ? [sql`, refused_since_use`, sql` and refused_since_use`]
    : [sql``, sql``];
  return sql`base_usage as materialized (
    select token_id, last_used_on${column} from token_usage
    where account_id = ${accountId} and token_id = any(array(select id from base))${condition}
      and ${where})`;
}

const dayOf = (at: Instant) => sql`(${moment(at)} at time zone 'UTC')::date`;

/**
 * Returns the condition that a token was neither created nor used since that time. Days are compared before times. The
 * exact time is read only if the last use was on that very day: for each token, or by one subquery for all tokens of
 * the account `allOf`.
 */
export function isUnusedSince(since: Instant, allOf?: AccountId): RawBuilder<SqlBool> {
  const at = moment(since);
  const day = dayOf(since);
  // Uses the index token_usage_by_day or token_usage_pkey.
  const wasBefore =
    allOf === undefined
      ? sql`exists (select from token_usage as exact where exact.token_id = usage.token_id and exact.last_used_at < ${at})`
      : sql`usage.token_id in (select token_id from token_usage as exact where exact.account_id = ${allOf}
          and coalesce(exact.last_used_on, '-infinity') = ${day} and exact.last_used_at < ${at})`;
  return sql`(tokens.created_at < ${at} and ${DAY} <= ${day}
    and (${DAY} < ${day} or ${wasBefore}))`;
}

/**
 * The number of least recently used tokens that are read in the order of their last use. If they are not enough, all
 * tokens of the account are read.
 */
const MAX_NEAR = 1000;

const COLUMNS = sql`tokens.id, tokens.name, ${DAY} as day`;
const ORDER = sql`${DAY}, tokens.id`;

/**
 * Returns parts of a statement. The last part, `unused_of_large`, has the accepted tokens of a large account that were
 * not used since a time. If nearly all of the least recently used tokens have ended, the statement joins all accepted
 * tokens with all usage of the account, by indexes that contain all columns. The cost of that is known; the cost of
 * reading further tokens in order is not.
 */
export function unusedOfLarge(query: AttentionQuery, isLarge: RawBuilder<unknown>): RawBuilder<unknown> {
  const { accountId, unusedSince, countLimit } = query;
  const isOld = sql`${DAY} <= ${dayOf(unusedSince)}`;
  const isShort = sql`((select count(*) from near_usage) = ${MAX_NEAR} and (select count(*) from near) < ${countLimit})`;
  // This query has no rows, but the planner expects rows from it. If PostgreSQL expected few tokens, it might read all
  // usage for each of them.
  const expected = sql`select null::uuid, null::text, null::timestamptz from generate_series(1, (select 0))`;
  return sql`
    near_usage as materialized (
      select token_id, last_used_on from token_usage as usage
      where ${isLarge} and account_id = ${accountId} and ${isOld} order by ${DAY}, token_id limit ${MAX_NEAR}),
    near as materialized (
      select ${COLUMNS} from near_usage as usage join tokens on tokens.id = usage.token_id
      where ${isAccepted(query)} and ${isUnusedSince(unusedSince)} order by ${ORDER} limit ${countLimit}),
    all_accepted as materialized (
      select id, name, created_at from tokens where ${isShort} and ${isAccepted(query)} union all ${expected}),
    all_usage as materialized (
      select token_id, last_used_on from token_usage as usage
      where ${isShort} and account_id = ${accountId} and ${isOld}),
    unused_of_large as materialized (
      select * from near where not ${isShort}
      union all
      (select ${COLUMNS} from all_accepted as tokens join all_usage as usage on usage.token_id = tokens.id
        where ${isUnusedSince(unusedSince, accountId)} order by ${ORDER} limit ${countLimit}))`;
}
