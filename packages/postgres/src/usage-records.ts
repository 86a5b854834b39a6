import {
  formatInstant,
  type Instant,
  type TokenId,
  type TokenUsage,
  type UsageRefusal,
} from '@gatehouse/domain';
import { type Kysely, sql } from 'kysely';
import type { Schema } from './schema.ts';
import { timestampOrNull } from './timestamp.ts';

/**
 * One statement for all of them. Tokens that are not there any more are passed over. Everyone takes the rows
 * in the same order, so that nobody waits in a circle, and holds the tokens, so that none goes in between.
 */
export async function storeUsage(
  db: Kysely<Schema>,
  usages: readonly (readonly [TokenId, TokenUsage])[],
): Promise<void> {
  const ids = usages.map(([id]) => id);
  const used = usages.map(([, { lastUsedAt }]) => timestampOrNull(lastUsedAt));
  const refused = usages.map(([, { lastRefusal }]) => lastRefusal && formatInstant(lastRefusal.at));
  const reasons = usages.map(([, { lastRefusal }]) => lastRefusal?.reason ?? null);
  await sql`
    insert into token_usage as kept (token_id, last_used_at, last_refused_at, last_refused_reason)
    select tokens.id, seen.used_at, seen.refused_at, seen.reason
    from unnest(${ids}::uuid[], ${used}::timestamptz[], ${refused}::timestamptz[], ${reasons}::text[])
      as seen (id, used_at, refused_at, reason)
    join tokens on tokens.id = seen.id
    order by tokens.id
    for key share of tokens
    on conflict (token_id) do update set
      last_used_at = greatest(kept.last_used_at, excluded.last_used_at),
      last_refused_at = greatest(kept.last_refused_at, excluded.last_refused_at),
      last_refused_reason = case
        when excluded.last_refused_at is null or excluded.last_refused_at < kept.last_refused_at
        then kept.last_refused_reason else excluded.last_refused_reason end`.execute(db);
}

export async function findUsage(
  db: Kysely<Schema>,
  ids: readonly TokenId[],
): Promise<ReadonlyMap<TokenId, TokenUsage>> {
  if (ids.length === 0) return new Map();
  // token_usage_pkey
  const { rows } = await sql<{
    token_id: TokenId;
    last_used_at: Instant | null;
    last_refused_at: Instant | null;
    last_refused_reason: UsageRefusal | null;
  }>`
    select token_id, last_used_at, last_refused_at, last_refused_reason from token_usage
    where token_id = any(${ids}::uuid[])`.execute(db);
  return new Map(
    rows.map(({ token_id, last_used_at, last_refused_at: at, last_refused_reason: reason }) => [
      token_id,
      { lastUsedAt: last_used_at, lastRefusal: at === null || reason === null ? null : { at, reason } },
    ]),
  );
}
