import type { KeyId, LiveTokens } from '@gatehouse/domain/signing-keys';
import { formatInstant, type Instant } from '@gatehouse/domain/time';
import { type RawBuilder, type SqlBool, sql } from 'kysely';
import { onPrimary } from '../database/primary/primary-only.ts';
import type { Queries } from '../database/schema.ts';
import { isLiveAt } from '../tokens/refusal-conditions.ts';

/**
 * Counts the live tokens of every key, or of one key. The live tokens of a key are two ranges of the index
 * tokens_live_of_key: tokens that expire later, and tokens that never expire. Only the index is read, however many
 * tokens have expired.
 */
export async function countLiveTokens(db: Queries, at: Instant, id: KeyId | null = null) {
  const { rows } = await sql<LiveTokens & { id: KeyId }>`
    select signing_keys.id, ending.count + endless.count as count,
      endless.count as "withoutExpiry", ending.last as "lastExpiry"
    from signing_keys
    cross join lateral (
      select count(*), max(expires_at) as last from tokens
      where key_id = signing_keys.id and revoked_at is null and expires_at > ${formatInstant(at)}
    ) as ending
    cross join lateral (
      select count(*) from tokens
      where key_id = signing_keys.id and revoked_at is null and expires_at is null
    ) as endless
    where (${id}::text is null or signing_keys.id = ${id})
      and ending.count + endless.count > 0 and ${onPrimary}`.execute(db);
  return new Map(rows.map(({ id, ...live }) => [id, Object.freeze(live)]));
}

/** Returns when a live token of this key was last used; null if none was used. */
export async function findLastUse(db: Queries, id: KeyId, at: Instant): Promise<Instant | null> {
  const { rows } = await sql<{ last: Instant | null }>`
    select max(token_usage.last_used_at) as last
    from tokens join token_usage on token_usage.token_id = tokens.id
    where ${isLiveTokenUnder(id, at)} and ${onPrimary}`.execute(db);
  return rows[0]?.last ?? null;
}

/** The condition that a token is a live token of this key. Uses the index tokens_live_of_key. */
export function isLiveTokenUnder(id: KeyId, at: Instant): RawBuilder<SqlBool> {
  return sql`tokens.key_id = ${id} and ${isLiveAt(at)}`;
}
