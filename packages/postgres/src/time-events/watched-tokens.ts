import { formatInstant, formatInstantOrNull } from '@gatehouse/domain/time';
import type { TimeBatch, TimeEvents, TokenWatch, WatchedToken } from '@gatehouse/domain/time-events';
import type { TokenId } from '@gatehouse/domain/tokens';
import { sql } from 'kysely';
import { insertAuditEvents } from '../audit/audit-events.ts';
import type { Queries } from '../database/schema.ts';
import { selectTokenRecords, toTokenRecord } from '../tokens/token-records.ts';
import { toAddresses, toTokenUsage } from '../usage/usage-reading.ts';

/** Looks at the tokens that are due. A second server skips the rows that this one has locked. */
export const lookAtTokens =
  (db: Queries): TimeEvents['lookAtTokens'] =>
  (batch, decide) =>
    db.transaction().execute(async (tx) => {
      const noted = await makeDue(tx, batch);
      const watches = await lockDue(tx, batch);
      if (watches.size > 0) {
        // A statement of its own, which sees everything that was committed before the rows were locked.
        const outcomes = (await readTokens(tx, watches)).map((found) => ({
          id: found.record.id,
          ...decide(found),
        }));
        await storeWatches(tx, outcomes);
        const events = outcomes.flatMap((outcome) => outcome.events);
        if (events.length > 0) await insertAuditEvents(tx, events);
      }
      return { more: noted === batch.limit || watches.size === batch.limit };
    });

/**
 * Makes tokens due that changed since they were looked at. Returns the number of changes. Uses the index
 * watched_changes_pkey. Rows are locked in the order of their ids.
 */
async function makeDue(tx: Queries, { now, limit }: TimeBatch): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    with noted as (
      delete from watched_changes where id = any(array(
        select id from watched_changes order by id limit ${limit} for update skip locked))
      returning token_id
    ), due as (
      insert into token_watches as kept (token_id, look_at)
      select id, ${formatInstant(now)}::timestamptz from tokens
      where id = any(array(select token_id from noted)) and kind = 'api' order by id
      on conflict (token_id) do update set look_at = least(kept.look_at, excluded.look_at)
    )
    select count(*) from noted`.execute(tx);
  return rows[0]?.count ?? 0;
}

type StoredWatch = WatchedToken['watch'];

/** Locks the tokens that are due, those first that are due longest. Uses the index token_watches_look_at. */
async function lockDue(tx: Queries, { now, limit }: TimeBatch): Promise<ReadonlyMap<TokenId, StoredWatch>> {
  const { rows } = await sql<{ id: TokenId } & StoredWatch>`
    select token_id as id, expires_at as "expiresAt", days_left as "daysLeft", unused_since as "unusedSince",
      newest_address_at as "newestAddressAt"
    from token_watches where look_at <= ${formatInstant(now)}::timestamptz
    order by look_at limit ${limit} for update skip locked`.execute(tx);
  return new Map(rows.map(({ id, ...watch }) => [id, watch]));
}

/**
 * Reads the facts about these tokens. `offset 0` makes PostgreSQL look up each token separately, by the indexes of
 * `selectTokenRecords`, token_usage_pkey and token_addresses_pkey. Otherwise it might read whole tables.
 */
async function readTokens(
  tx: Queries,
  watches: ReadonlyMap<TokenId, StoredWatch>,
): Promise<readonly WatchedToken[]> {
  const ids = [...watches.keys()];
  const due = sql<{ readonly id: TokenId }>`unnest(${ids}::uuid[])`.as<'due'>(sql`due (id)`);
  const facts = selectTokenRecords(tx)
    .leftJoin('token_usage', 'token_usage.token_id', 'tokens.id')
    .leftJoin('token_addresses', 'token_addresses.token_id', 'tokens.id')
    .select(['last_used_at', 'last_refused_at', 'last_refused_reason', 'last_refused_by', 'used', 'refused'])
    .whereRef('tokens.id', '=', sql.ref('due.id'))
    .offset(sql.lit(0));
  const rows = await tx
    .selectFrom(due)
    .innerJoinLateral(facts.as('found'), (join) => join.onTrue())
    .selectAll('found')
    .execute();
  return rows.flatMap((row) => {
    const watch = watches.get(row.id);
    const addresses = { used: row.used ?? [], refused: row.refused ?? [] };
    return watch === undefined
      ? []
      : [
          {
            record: toTokenRecord(row),
            usage: toTokenUsage(row, addresses),
            usedFrom: toAddresses(addresses).usedFrom,
            watch,
          },
        ];
  });
}

async function storeWatches(
  tx: Queries,
  outcomes: readonly { readonly id: TokenId; readonly watch: TokenWatch }[],
): Promise<void> {
  const rows = outcomes.map(({ id, watch }) => ({
    id,
    look_at: formatInstantOrNull(watch.lookAt),
    expires_at: formatInstantOrNull(watch.expiresAt),
    days_left: watch.daysLeft,
    unused_since: formatInstantOrNull(watch.unusedSince),
    newest_address_at: formatInstantOrNull(watch.newestAddressAt),
  }));
  await sql`
    update token_watches as kept set look_at = decided.look_at, expires_at = decided.expires_at,
      days_left = decided.days_left, unused_since = decided.unused_since,
      newest_address_at = decided.newest_address_at
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as decided (id uuid, look_at timestamptz,
      expires_at timestamptz, days_left int, unused_since timestamptz, newest_address_at timestamptz)
    where kept.token_id = decided.id`.execute(tx);
}
