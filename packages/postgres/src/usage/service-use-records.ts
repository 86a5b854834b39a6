import type { CredentialId } from '@gatehouse/domain/services';
import type { Instant } from '@gatehouse/domain/time';
import type { UseAtService } from '@gatehouse/domain/tokens';
import { type RawBuilder, sql } from 'kysely';
import type { Queries } from '../database/schema.ts';
import type { PendingServiceUse } from './service-usage.ts';

/** The first use in a row. It is missing in rows that servers before migration 0020 wrote. */
const STORED_FIRST_USE = sql`coalesce(kept.first_used_at, kept.last_used_at)`;

/** Stores the first and the last use of each token at each service. */
export async function storeServiceUses(db: Queries, uses: readonly PendingServiceUse[]): Promise<void> {
  await upsertServiceUses(uses, sql`false`).execute(db);
}

/**
 * Returns the statement that stores the uses of tokens at services, or this part of a statement. Skips tokens and
 * services that do not exist. All statements lock rows in the same order, to avoid deadlocks. Of two uses at the same
 * time, the one that the service did not report is kept.
 *
 * @param isReported whether the services reported these uses. An expression, so that a part of a statement can wait for
 * another part
 */
export function upsertServiceUses(
  uses: readonly PendingServiceUse[],
  isReported: RawBuilder<boolean>,
): RawBuilder<unknown> {
  const tokens = uses.map(({ token }) => token);
  const services = uses.map(({ service }) => service);
  const firsts = uses.map(({ firstAt }) => firstAt);
  const lasts = uses.map(({ at }) => at);
  const addresses = uses.map(({ from }) => from);
  const isNewer = sql`(excluded.last_used_at > kept.last_used_at
    or (excluded.last_used_at = kept.last_used_at and not excluded.is_reported))`;
  return sql`
    insert into token_service_uses as kept
      (token_id, service, first_used_at, last_used_at, last_used_from, is_reported)
    select tokens.id, services.name, to_timestamp(seen.first_ms / 1000::float8),
      to_timestamp(seen.last_ms / 1000::float8), seen.address, ${isReported}
    from unnest(${tokens}::uuid[], ${services}::text[], ${firsts}::bigint[], ${lasts}::bigint[], ${addresses}::text[])
      as seen (token_id, service, first_ms, last_ms, address)
    join tokens on tokens.id = seen.token_id
    join services on services.name = seen.service
    order by tokens.id, services.name
    for key share of tokens
    on conflict (token_id, service) do update set
      first_used_at = least(${STORED_FIRST_USE}, excluded.first_used_at),
      last_used_at = greatest(kept.last_used_at, excluded.last_used_at),
      last_used_from = case when ${isNewer} then excluded.last_used_from else kept.last_used_from end,
      is_reported = case when ${isNewer} then excluded.is_reported else kept.is_reported end
    where ${isNewer} or excluded.first_used_at < ${STORED_FIRST_USE}
    returning token_id`;
}

/** Stores when credentials were last used. Skips credentials that do not exist. */
export async function storeCredentialUses(
  db: Queries,
  uses: readonly (readonly [CredentialId, Instant])[],
): Promise<void> {
  await sql`
    insert into service_credential_usage as kept (credential_id, last_used_at)
    select service_credentials.id, to_timestamp(seen.used_ms / 1000::float8)
    from unnest(${uses.map(([id]) => id)}::uuid[], ${uses.map(([, at]) => at)}::bigint[]) as seen (id, used_ms)
    join service_credentials on service_credentials.id = seen.id
    order by service_credentials.id
    on conflict (credential_id) do update set last_used_at = greatest(kept.last_used_at, excluded.last_used_at)
  `.execute(db);
}

/** A use at a service as the database returns it in JSON. */
export interface StoredServiceUse {
  readonly service: UseAtService['service'];
  readonly at: Instant;
  readonly from: string | null;
  readonly isReported: boolean;
}

/** Selects the uses of a token at services as one JSON value, the last use first. */
export const usesAtServices = sql<readonly StoredServiceUse[]>`
  coalesce((
    select json_agg(json_build_object(
        'service', service, 'at', round(extract(epoch from last_used_at) * 1000), 'from', last_used_from,
        'isReported', is_reported)
      order by last_used_at desc, service)
    -- Uses the index token_service_uses_pkey.
    from token_service_uses where token_service_uses.token_id = token_usage.token_id), '[]')`;

export const toUsesAtServices = (stored: readonly StoredServiceUse[]): readonly UseAtService[] =>
  Object.freeze(
    stored.map(({ service, at, from, isReported }) =>
      Object.freeze({ service, lastAt: at, from, isReported }),
    ),
  );
