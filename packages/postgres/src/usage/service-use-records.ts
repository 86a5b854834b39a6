import type { CredentialId } from '@gatehouse/domain/services';
import type { Instant } from '@gatehouse/domain/time';
import type { UseAtService } from '@gatehouse/domain/tokens';
import { sql } from 'kysely';
import type { Queries } from '../database/schema.ts';
import type { PendingServiceUse } from './service-usage.ts';

/**
 * Stores the last use of each token at each service. Skips tokens and services that do not exist. All usage recorders
 * lock rows in the same order, to avoid deadlocks.
 */
export async function storeServiceUses(db: Queries, uses: readonly PendingServiceUse[]): Promise<void> {
  const tokens = uses.map(({ token }) => token);
  const services = uses.map(({ service }) => service);
  const times = uses.map(({ at }) => at);
  const addresses = uses.map(({ from }) => from);
  await sql`
    insert into token_service_uses as kept (token_id, service, last_used_at, last_used_from)
    select tokens.id, services.name, to_timestamp(seen.used_ms / 1000::float8), seen.address
    from unnest(${tokens}::uuid[], ${services}::text[], ${times}::bigint[], ${addresses}::text[])
      as seen (token_id, service, used_ms, address)
    join tokens on tokens.id = seen.token_id
    join services on services.name = seen.service
    order by tokens.id, services.name
    for key share of tokens
    on conflict (token_id, service) do update set
      last_used_at = excluded.last_used_at, last_used_from = excluded.last_used_from
    where excluded.last_used_at >= kept.last_used_at
  `.execute(db);
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
}

/** Selects the uses of a token at services as one JSON value, the last use first. */
export const usesAtServices = sql<readonly StoredServiceUse[]>`
  coalesce((
    select json_agg(json_build_object(
        'service', service, 'at', round(extract(epoch from last_used_at) * 1000), 'from', last_used_from)
      order by last_used_at desc, service)
    -- Uses the index token_service_uses_pkey.
    from token_service_uses where token_service_uses.token_id = token_usage.token_id), '[]')`;

export const toUsesAtServices = (stored: readonly StoredServiceUse[]): readonly UseAtService[] =>
  Object.freeze(stored.map(({ service, at, from }) => Object.freeze({ service, lastAt: at, from })));
