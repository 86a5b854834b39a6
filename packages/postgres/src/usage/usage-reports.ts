import type { ReportedUse, ServiceName, UsageReport, UsageReports } from '@gatehouse/domain/services';
import type { Instant } from '@gatehouse/domain/time';
import type { TokenId } from '@gatehouse/domain/tokens';
import { sql } from 'kysely';
import type { Database } from '../database/database.ts';
import { onPrimary } from '../database/primary/primary-only.ts';
import { PendingUsage } from './pending-usage.ts';
import { type PendingServiceUse, storedAddress } from './service-usage.ts';
import { upsertServiceUses } from './service-use-records.ts';
import { USAGE_CHANNEL, usageNotifications } from './usage-notification.ts';
import { type Batch, upsertUsage } from './usage-records.ts';

/** The last use of a token that has a row, after a report (`lastUseWithReport`). */
const LAST_USE_WITH_REPORT = sql`
  greatest(kept.last_used_at, case
    when excluded.last_used_at > refused.at and (kept.last_used_at > refused.at) is not true then refused.at
    else excluded.last_used_at end)`;
const LAST_REFUSAL = sql`(select greatest(kept.last_refused_at, excluded.last_refused_at) as at)`;

/** Creates the store of reports in PostgreSQL. */
export function createPostgresUsageReports({ queries }: Database): UsageReports {
  return {
    async findFirstUses(service, tokens) {
      // Uses the index token_service_uses_pkey.
      const { rows } = await sql<{ token: TokenId; at: Instant }>`
        select token_id as token, coalesce(first_used_at, last_used_at) as at from token_service_uses
        where token_id = any(${tokens}::uuid[]) and service = ${service} and ${onPrimary}`.execute(queries);
      return new Map(rows.map(({ token, at }) => [token, at]));
    },

    async store(service, report) {
      const batch = batchOf(service, report);
      const notifications = usageNotifications(batch.map(([id, usage]) => usage.counts(id)));
      const lastUse = sql`(select ${LAST_USE_WITH_REPORT} from ${LAST_REFUSAL} as refused)`;
      // Locks rows after the rows of usage, as a usage recorder does.
      const afterUsage = sql<boolean>`(select count(*) from stored) >= 0`;
      await sql`
        with stored as (${upsertUsage(batch, lastUse)}),
        at_service as (${upsertServiceUses(lastUsesOf(service, report.uses), afterUsage)})
        select pg_notify(${USAGE_CHANNEL}, payload) from unnest(${notifications}::text[]) as payload
      `.execute(queries);
    },
  };
}

/** Adds up the entries about each token. */
function batchOf(service: ServiceName, { uses, refusals }: UsageReport): Batch {
  const byToken = new Map<TokenId, PendingUsage>();
  const usageOf = (token: TokenId, at: Instant) => {
    const usage = byToken.get(token) ?? new PendingUsage(at);
    byToken.set(token, usage);
    return usage;
  };
  for (const { token, lastAt, countsAt = lastAt, count } of uses)
    usageOf(token, countsAt).reportedUses(countsAt, count);
  for (const refusal of refusals)
    usageOf(refusal.token, refusal.lastAt).reportedRefusals(
      service,
      refusal.lastAt,
      refusal.reason,
      refusal.count,
    );
  return [...byToken];
}

/** Returns the last of the uses of each token. */
function lastUsesOf(service: ServiceName, uses: readonly ReportedUse[]): readonly PendingServiceUse[] {
  const last = new Map<TokenId, PendingServiceUse>();
  for (const { token, lastAt: at, from } of uses) {
    const before = last.get(token);
    if (before && before.at > at) continue;
    last.set(token, { token, service, firstAt: at, at, from: storedAddress(from) });
  }
  return [...last.values()];
}
