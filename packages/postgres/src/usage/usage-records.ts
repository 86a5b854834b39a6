import { formatInstant, type Instant } from '@gatehouse/domain/time';
import type { TokenId, UsageRecorderHealth } from '@gatehouse/domain/tokens';
import { type RawBuilder, sql } from 'kysely';
import type { Database } from '../database/database.ts';
import { onPrimary } from '../database/primary/primary-only.ts';
import type { Queries } from '../database/schema.ts';
import { replaceTokens } from '../tokens/replace-tokens.ts';
import { upsertAddresses } from './address-records.ts';
import { upsertOutside } from './outside-addresses.ts';
import type { PendingUsage } from './pending-usage.ts';
import { USAGE_CHANNEL, usageNotifications } from './usage-notification.ts';

/** Usage of several tokens that is stored together. */
export type Batch = readonly (readonly [TokenId, PendingUsage])[];

/** Stores a batch by one statement, atomically. The notifications are sent when the statement is committed. */
export async function storeUsage(db: Queries, recorderId: string, batch: Batch): Promise<void> {
  const notifications = usageNotifications(batch.map(([id, usage]) => usage.counts(id)));
  const firstUses = batch.flatMap(([id, { firstUsedAt: at }]) =>
    at === undefined ? [] : [[id, at] as const],
  );
  const oldest = Math.min(...batch.map(([, { since }]) => since)) as Instant;
  await sql`
    with stored as (${upsertUsage(batch, LAST_USE)}),
    addresses as (${upsertAddresses(batch)}),
    ${upsertOutside(batch)}
    ${replaceTokens(firstUses)},
    recorder as (${upsertRecorder(recorderId, oldest)}),
    forgotten as (${deleteOldRecorders(recorderId)})
    select pg_notify(${USAGE_CHANNEL}, payload) from unnest(${notifications}::text[]) as payload
  `.execute(db);
}

/** The last use of a token: the stored one or the added one. */
const LAST_USE = sql`greatest(kept.last_used_at, excluded.last_used_at)`;

/**
 * Stores the last use and the last refusal of each token. `lastUse` is the last use of a token that has a row. Skips
 * tokens that no longer exist, and locks the existing tokens so that none is deleted meanwhile. All usage recorders
 * lock rows in the same order, to avoid deadlocks.
 */
export function upsertUsage(batch: Batch, lastUse: RawBuilder<unknown>): RawBuilder<unknown> {
  const ids = batch.map(([id]) => id);
  const usages = batch.map(([, usage]) => usage.last());
  // Times are sent as numbers, because formatting thousands of times would delay requests.
  const used = usages.map(({ lastUsedAt }) => lastUsedAt);
  const refused = usages.map(({ lastRefusal }) => lastRefusal?.at ?? null);
  const reasons = usages.map(({ lastRefusal }) => lastRefusal?.reason ?? null);
  const services = usages.map(({ lastRefusal }) => lastRefusal?.by ?? null);
  const isEarlier = sql`(excluded.last_refused_at is null or excluded.last_refused_at < kept.last_refused_at)`;
  return sql`
    insert into token_usage as kept (token_id, last_used_at, last_refused_at, last_refused_reason, last_refused_by)
    select tokens.id, to_timestamp(seen.used_ms / 1000::float8), to_timestamp(seen.refused_ms / 1000::float8),
      seen.reason, seen.service
    from unnest(${ids}::uuid[], ${used}::bigint[], ${refused}::bigint[], ${reasons}::text[],
        ${services}::text[]) as seen (id, used_ms, refused_ms, reason, service)
    join tokens on tokens.id = seen.id
    order by tokens.id
    for key share of tokens
    on conflict (token_id) do update set
      last_used_at = ${lastUse},
      last_refused_at = greatest(kept.last_refused_at, excluded.last_refused_at),
      last_refused_reason =
        case when ${isEarlier} then kept.last_refused_reason else excluded.last_refused_reason end,
      last_refused_by = case when ${isEarlier} then kept.last_refused_by else excluded.last_refused_by end
    returning token_id`;
}

/**
 * Stores how long this usage recorder was behind with storing. This part counts the rows of the part `stored`, so that
 * it runs after the parts that wait for locks.
 */
function upsertRecorder(recorderId: string, oldest: Instant): RawBuilder<unknown> {
  const MAX_INT4 = sql.lit(2 ** 31 - 1);
  return sql`
    insert into usage_recorders (id, stored_at, lag_ms)
    select ${recorderId}::uuid, clock.now,
      least(greatest(extract(epoch from clock.now - ${formatInstant(oldest)}::timestamptz) * 1000, 0), ${MAX_INT4})
    from (select clock_timestamp() as now, count(*) from stored) as clock
    on conflict (id) do update set stored_at = excluded.stored_at, lag_ms = excluded.lag_ms
    returning id`;
}

/**
 * Deletes usage recorders that have not stored anything for a day. Runs after the part `recorder` and skips locked
 * rows, to avoid deadlocks.
 */
function deleteOldRecorders(recorderId: string): RawBuilder<unknown> {
  return sql`
    delete from usage_recorders where id in (
      select old.id from usage_recorders as old
      where old.stored_at < now() - interval '1 day' and old.id <> ${recorderId}::uuid
        and (select count(*) from recorder) = 1
      for update of old skip locked)`;
}

/** Reads how long the usage recorders are behind with storing. Each recorder writes that whenever it stores usage. */
export function createPostgresUsageRecorderHealth({ queries }: Database): UsageRecorderHealth {
  return {
    async list() {
      const { rows } = await sql<{ storedAt: Instant; lagMs: number }>`
        select stored_at as "storedAt", lag_ms as "lagMs" from usage_recorders
        where ${onPrimary} order by stored_at desc`.execute(queries);
      return rows;
    },
  };
}
