import type { AuditEvent } from '@gatehouse/domain/audit';
import type { KeyId, LiveTokens } from '@gatehouse/domain/signing-keys';
import { formatInstant, type Instant } from '@gatehouse/domain/time';
import type { Revocation } from '@gatehouse/domain/tokens';
import { type Kysely, type SqlBool, sql } from 'kysely';
import { onPrimary } from '../database/primary-only.ts';
import type { Schema } from '../database/schema.ts';
import { endTokens } from '../tokens/end-tokens.ts';
import { isLiveAt } from '../tokens/live-tokens.ts';
import { forEachBatch } from '../tokens/token-batches.ts';

/**
 * Counts live tokens, of every key or of one. Each key's are two ranges of the index tokens_live_of_key, and only the
 * index is read, however many tokens have expired.
 */
export async function countLiveTokens(
  db: Kysely<Schema>,
  at: Instant,
  id: KeyId | null = null,
): Promise<ReadonlyMap<KeyId, LiveTokens>> {
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

/** Returns when a live token of this key was last used. */
export async function findLastUse(db: Kysely<Schema>, id: KeyId, at: Instant): Promise<Instant | null> {
  const { rows } = await sql<{ last: Instant | null }>`
    select max(token_usage.last_used_at) as last
    from tokens join token_usage on token_usage.token_id = tokens.id
    where tokens.key_id = ${id} and ${isLiveAt(at)} and ${onPrimary}`.execute(db);
  return rows[0]?.last ?? null;
}

/**
 * Revokes the key's live tokens as a consequence of `cause`, and returns their number. The caller holds the key's row
 * FOR UPDATE, so that no token is created meanwhile.
 */
export async function endTokensUnder(
  tx: Kysely<Schema>,
  id: KeyId,
  revocation: Revocation,
  cause: AuditEvent,
): Promise<number> {
  let ended = 0;
  // tokens_live_of_key
  const condition = sql<SqlBool>`tokens.key_id = ${id} and ${isLiveAt(revocation.at)}`;
  await forEachBatch(tx, condition, async (tokens) => {
    ended += tokens.length;
    await endTokens(tx, tokens, revocation, cause);
  });
  return ended;
}
