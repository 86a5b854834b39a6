import type { Instant } from '@gatehouse/domain/time';
import type { TokenQuery } from '@gatehouse/domain/tokens';
import { type RawBuilder, sql } from 'kysely';
import { and, type Condition, moment } from '../database/statements/conditions.ts';
import { END } from './refusal-conditions.ts';
import { tokenConditions } from './token-conditions.ts';

/** A query for unused tokens. */
type UnusedQuery = TokenQuery & { readonly unusedSince: Instant };

/**
 * If there are fewer idle tokens than this number times the number of tokens that are asked for, all idle tokens are
 * read. Otherwise, tokens are read in the order of their ids, up to the same number.
 */
const NEAR = 10;

/**
 * Selects the ids and expiries of unused tokens, as parts of a UNION: all unused tokens, or at least as many as are
 * asked for, in the order of their ids. API tokens are found by their rows of usage. Sign-in tokens have no such row
 * before their first use.
 */
export function unusedTokens(
  query: TokenQuery,
  unusedSince: Instant,
  onPage: Condition,
): readonly RawBuilder<unknown>[] {
  const { kind } = query;
  return [
    ...(kind === 'sign-in' ? [] : [unusedApiTokens({ ...query, unusedSince }, onPage)]),
    ...(kind === 'api' ? [] : [unusedSignIns({ ...query, unusedSince }, onPage)]),
  ];
}

/**
 * Selects unused API tokens in one of two ways. If the index has few idle tokens, all of them are read (`far`).
 * Otherwise the next tokens in the order of their ids are read (`near`), because many tokens are unused, or many idle
 * tokens have ended. If `near` finds too few, all idle tokens are read anyway. `far` has no limit: with a limit,
 * PostgreSQL would expect to find enough tokens soon in the order of ids, and would read all tokens.
 */
function unusedApiTokens(query: UnusedQuery, onPage: Condition): RawBuilder<unknown> {
  const { unusedSince, expiringBefore, limit } = query;
  const since = moment(unusedSince);
  // Uses the index token_usage_idle.
  const day = sql`case when usage.account_id is not null then coalesce(usage.last_used_on, usage.created_on) end`;
  const isIdle = sql`(${day}) <= (${since} at time zone 'UTC')::date`;
  const ofTokens = and(...tokenConditions(query), onPage);
  const isUnused = sql`${isIdle} and (usage.last_used_at is null or usage.last_used_at < ${since})`;
  const isById = expiringBefore === undefined;
  return sql`(
    with idle as materialized (
      select count(*) as count from (
        select from token_usage as usage where ${isIdle} limit ${NEAR * limit}) as first_ones),
    near as materialized (
      select tokens.id, tokens.expires_at
      from (select * from tokens where ${sql.lit(isById)} and (select count from idle) = ${NEAR * limit}
        and ${onPage} order by tokens.id limit ${NEAR * limit}) as tokens
      -- tokens_pkey and token_usage_pkey, and not all of a table
      cross join lateral (
        select from token_usage as usage where usage.token_id = tokens.id and ${isUnused} offset 0) as usage
      where ${ofTokens} order by tokens.id limit ${limit}),
    far as materialized (
      select tokens.id, tokens.expires_at from token_usage as usage join tokens on tokens.id = usage.token_id
      where (select count(*) from near) < ${limit} and ${isUnused} and ${ofTokens})
    select * from far union all select * from near where (select count(*) from near) = ${limit})`;
}

/**
 * Selects unused sign-in tokens. Reads all sign-in tokens that have not ended, by the index tokens_sign_in_end; an
 * accepted token has not ended.
 */
function unusedSignIns(query: UnusedQuery, onPage: Condition): RawBuilder<unknown> {
  const conditions = [
    ...tokenConditions(query),
    onPage,
    sql`tokens.kind = 'sign-in'`,
    sql`(${END} > ${moment(query.now)} or ${END} is null)`,
    // Uses the index token_usage_pkey.
    sql`not exists (
      select from token_usage where token_id = tokens.id and last_used_at >= ${moment(query.unusedSince)})`,
  ];
  return sql`(
    with found as materialized (
      select tokens.id, tokens.expires_at from tokens where ${and(...conditions)})
    select * from found)`;
}
