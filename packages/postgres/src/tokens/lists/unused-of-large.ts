import { formatInstant } from '@gatehouse/domain/time';
import type { AttentionQuery } from '@gatehouse/domain/tokens';
import { type RawBuilder, sql } from 'kysely';
import { isAccepted } from './sections.ts';
import { isUnusedSince } from './usage-of-base.ts';

/** How many of the least recently used tokens are read before all tokens of the account are. */
const MAX_NEAR = 1000;

const DAY = sql`coalesce(usage.last_used_on, '-infinity')`;
const COLUMNS = sql`tokens.id, tokens.name, ${DAY} as day`;
const ORDER = sql`${DAY}, tokens.id`;

/**
 * Returns parts of a statement, the last of them `unused_of_large`: the accepted tokens of a large account that were
 * not used since. If nearly all of the least recently used tokens have ended, it joins all accepted tokens with all
 * usage of the account, by covering indexes: that cost is known, and the cost of reading on is not.
 */
export function unusedOfLarge(query: AttentionQuery, isLarge: RawBuilder<unknown>): RawBuilder<unknown> {
  const { accountId, unusedSince, countLimit } = query;
  const isOld = sql`${DAY} <= (${formatInstant(unusedSince)}::timestamptz at time zone 'UTC')::date`;
  const isShort = sql`((select count(*) from near_usage) = ${MAX_NEAR} and (select count(*) from near) < ${countLimit})`;
  // Zero rows that raise the planner's estimate: if it expected few, it might read all usage for each.
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
