import {
  type AuditEvent,
  formatInstant,
  type Instant,
  type KeyId,
  type LiveTokens,
  type Revocation,
  tokenRevoked,
} from '@gatehouse/domain';
import { type Kysely, type Selectable, sql } from 'kysely';
import { insertAuditEvents } from './audit-events.ts';
import type { Schema, TokenTable } from './schema.ts';
import { tokenColumns, toToken } from './token-records.ts';

/**
 * The tokens that are live, of every key, or of one. Each key's are two ranges of the index tokens_live_of_key,
 * and nothing but the index is read, however many tokens have expired.
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
      and ending.count + endless.count > 0`.execute(db);
  return new Map(rows.map(({ id, ...live }) => [id, Object.freeze(live)]));
}

/** When a live token of this key was last used. */
export async function findLastUse(db: Kysely<Schema>, id: KeyId, at: Instant): Promise<Instant | null> {
  const { rows } = await sql<{ last: Instant | null }>`
    select max(token_usage.last_used_at) as last
    from tokens join token_usage on token_usage.token_id = tokens.id
    where tokens.key_id = ${id} and tokens.revoked_at is null
      and (tokens.expires_at is null or tokens.expires_at > ${formatInstant(at)})`.execute(db);
  return rows[0]?.last ?? null;
}

/** So many tokens at a time end: each statement stays far from the limit of its time and of its parameters. */
const BATCH = 1000;

/**
 * Revokes the key's live tokens, because of the change that `cause` tells of, and answers how many they were.
 * The caller holds the key's row FOR UPDATE, so that no token is made meanwhile. In the order of their ids, so
 * that two who end many tokens at once do not wait in a circle.
 */
export async function endTokensUnder(
  tx: Kysely<Schema>,
  { id, at }: { readonly id: KeyId; readonly at: Instant },
  revocation: Revocation,
  { actor, origin }: AuditEvent,
): Promise<number> {
  await sql`
    declare live_tokens no scroll cursor for
      select ${sql.join(tokenColumns.map((column) => sql.ref(column)))} from tokens
      where key_id = ${id} and revoked_at is null
        and (expires_at is null or expires_at > ${formatInstant(at)})
      order by id for no key update`.execute(tx);
  let ended = 0;
  for (;;) {
    const { rows } = await sql<Selectable<TokenTable>>`fetch ${sql.lit(BATCH)} from live_tokens`.execute(tx);
    if (rows.length === 0) break;
    ended += rows.length;
    const tokens = rows.map(toToken);
    await sql`
      update tokens set revoked_at = ${formatInstant(revocation.at)},
        revoked_by = ${JSON.stringify(revocation.by)}, revoked_reason = ${revocation.reason}
      where id = any(${tokens.map((token) => token.id)}::uuid[])`.execute(tx);
    const events = tokens.map((token) => ({ ...tokenRevoked(token, revocation), actor, origin }));
    await insertAuditEvents(tx, events);
  }
  await sql`close live_tokens`.execute(tx);
  return ended;
}
