import type { AccountId } from '@gatehouse/domain/accounts';
import { formatInstant, type Instant } from '@gatehouse/domain/time';
import { type RawBuilder, type SqlBool, sql } from 'kysely';

/** How `base`, the whole of a small section, is joined with its usage. */
export const BASE_WITH_USAGE = sql`base as tokens join base_usage as usage on usage.token_id = tokens.id`;

/**
 * The usage of the tokens in `base`, as a part of its statement that is called `base_usage`, read by one range of an
 * index that holds all of it. token_usage_of_account; only refused ones by token_usage_refused
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
 * The condition that a token was neither created nor used since. Only uses of that very day need their row: those of
 * all of an account's tokens, read at once, or that of a token.
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
