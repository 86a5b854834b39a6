import { formatInstant, type Instant } from '@gatehouse/domain/time';
import type { TokenId, TokenUsage } from '@gatehouse/domain/tokens';
import { type Kysely, type RawBuilder, sql } from 'kysely';
import type { Schema } from '../database/schema.ts';
import { replaceTokens } from '../tokens/replace-tokens.ts';
import { USAGE_CHANNEL } from './usage-notification.ts';

/** A batch of usage that a recorder stores. */
export interface UsageBatch {
  readonly recorderId: string;
  readonly usages: readonly (readonly [TokenId, TokenUsage])[];
  /** For used tokens: the first moment of this batch. */
  readonly firstUses: readonly (readonly [TokenId, Instant])[];
  /** The earliest moment of the batch. */
  readonly oldest: Instant;
  /** Notifications, sent when the batch is committed, and only then. */
  readonly notifications: readonly string[];
}

/** Stores a batch in one statement, atomically. */
export async function storeUsage(db: Kysely<Schema>, batch: UsageBatch): Promise<void> {
  await sql`
    with stored as (${upsertUsage(batch)}),
    ${replaceTokens(batch.firstUses)},
    recorder as (${upsertRecorder(batch)}),
    forgotten as (${deleteOldRecorders(batch)})
    select pg_notify(${USAGE_CHANNEL}, payload) from unnest(${batch.notifications}::text[]) as payload
  `.execute(db);
}

/**
 * Skips tokens that do not exist any more. Rows are always locked in the same order, to avoid deadlocks, and the
 * tokens are locked so that none is deleted meanwhile.
 */
function upsertUsage({ usages }: UsageBatch): RawBuilder<unknown> {
  const ids = usages.map(([id]) => id);
  // Moments are sent as numbers: formatting thousands of them would delay requests.
  const used = usages.map(([, { lastUsedAt }]) => lastUsedAt);
  const refused = usages.map(([, { lastRefusal }]) => lastRefusal?.at ?? null);
  const reasons = usages.map(([, { lastRefusal }]) => lastRefusal?.reason ?? null);
  return sql`
    insert into token_usage as kept (token_id, last_used_at, last_refused_at, last_refused_reason)
    select tokens.id, to_timestamp(seen.used_ms / 1000::float8), to_timestamp(seen.refused_ms / 1000::float8),
      seen.reason
    from unnest(${ids}::uuid[], ${used}::bigint[], ${refused}::bigint[], ${reasons}::text[])
      as seen (id, used_ms, refused_ms, reason)
    join tokens on tokens.id = seen.id
    order by tokens.id
    for key share of tokens
    on conflict (token_id) do update set
      last_used_at = greatest(kept.last_used_at, excluded.last_used_at),
      last_refused_at = greatest(kept.last_refused_at, excluded.last_refused_at),
      last_refused_reason = case
        when excluded.last_refused_at is null or excluded.last_refused_at < kept.last_refused_at
        then kept.last_refused_reason else excluded.last_refused_reason end
    returning token_id`;
}

/** Depends on `stored`, so that it runs after everything that waits. */
function upsertRecorder({ recorderId, oldest }: UsageBatch): RawBuilder<unknown> {
  const MAX_INT4 = sql.lit(2 ** 31 - 1);
  return sql`
    insert into usage_recorders (id, stored_at, lag_ms)
    select ${recorderId}::uuid, clock.now,
      least(greatest(extract(epoch from clock.now - ${formatInstant(oldest)}::timestamptz) * 1000, 0), ${MAX_INT4})
    from (select clock_timestamp() as now, count(*) from stored) as clock
    on conflict (id) do update set stored_at = excluded.stored_at, lag_ms = excluded.lag_ms
    returning id`;
}

/** Runs after `recorder`, and skips locked rows, to avoid deadlocks. */
function deleteOldRecorders({ recorderId }: UsageBatch): RawBuilder<unknown> {
  return sql`
    delete from usage_recorders where id in (
      select old.id from usage_recorders as old
      where old.stored_at < now() - interval '1 day' and old.id <> ${recorderId}::uuid
        and (select count(*) from recorder) = 1
      for update of old skip locked)`;
}
