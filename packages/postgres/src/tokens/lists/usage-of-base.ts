import type { AccountId } from '@gatehouse/domain/accounts';
import { formatInstant, type Instant } from '@gatehouse/domain/time';
import { type RawBuilder, type SqlBool, sql } from 'kysely';

/** Joins `base`, the whole of a small section, with its usage. */
export const BASE_WITH_USAGE = sql`base as tokens join base_usage as usage on usage.token_id = tokens.id`;

/**
 * Returns the part `base_usage` of a statement: the usage of the tokens in `base`, read by one range of a covering
 * index. token_usage_of_account, or token_usage_refused for refused tokens
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

/**
 * Whether a token was neither created nor used since. Only a use on the very day needs its row, which is read for
 * each token, or once for all of an account.
 */
export function isUnusedSince(since: Instant, allOf?: AccountId): RawBuilder<SqlBool> {
  const moment = sql`${formatInstant(since)}::timestamptz`;
  const day = sql`(${moment} at time zone 'UTC')::date`;
  // token_usage_by_day, or token_usage_pkey
  const wasBefore =
    allOf === undefined
      ? sql`exists (select from token_usage as exact where exact.token_id = usage.token_id and exact.last_used_at < ${moment})`
      : sql`usage.token_id in (select token_id from token_usage as exact where exact.account_id = ${allOf}
          and coalesce(exact.last_used_on, '-infinity') = ${day} and exact.last_used_at < ${moment})`;
  return sql`(tokens.created_at < ${moment} and coalesce(usage.last_used_on, '-infinity') <= ${day}
    and (coalesce(usage.last_used_on, '-infinity') < ${day} or ${wasBefore}))`;
}
