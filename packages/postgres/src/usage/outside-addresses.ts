import type { TokenId } from '@gatehouse/domain/tokens';
import { type RawBuilder, sql } from 'kysely';
import { mergedAddresses } from './merged-addresses.ts';
import type { PendingUsage } from './pending-usage.ts';

/**
 * Returns a part of the statement that stores usage. It adds the addresses of uses from outside of networks that are
 * `report-only`. It runs after the parts `stored` and `addresses`, so that all statements lock in the same order. Empty
 * if the batch has no such use.
 */
export function upsertOutside(batch: readonly (readonly [TokenId, PendingUsage])[]): RawBuilder<unknown> {
  const seen = batch.flatMap(([id, usage]) => {
    const addresses = usage.outside();
    return addresses.length > 0 ? [{ id, addresses }] : [];
  });
  if (seen.length === 0) return sql``;
  const [before, added] = [sql.ref('kept.seen'), sql.ref('excluded.seen')];
  return sql`
    outside as (
      insert into token_outside_addresses as kept (token_id, seen)
      select stored.token_id, seen.addresses
      from jsonb_to_recordset(${JSON.stringify(seen)}::jsonb) as seen (id uuid, addresses jsonb)
      join stored on stored.token_id = seen.id
      join tokens on tokens.id = seen.id
      -- The networks may have been changed since the request.
      where tokens.networks_mode = 'report-only' and (select count(*) from addresses) >= 0
      order by stored.token_id
      on conflict (token_id) do update set seen = ${mergedAddresses(before, added)}
    ),`;
}
