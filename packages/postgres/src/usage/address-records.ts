import type { TokenId, TokenRepository } from '@gatehouse/domain/tokens';
import { type RawBuilder, sql } from 'kysely';
import { onPrimary } from '../database/primary/primary-only.ts';
import type { Queries } from '../database/schema.ts';
import { mergedAddresses } from './merged-addresses.ts';
import type { PendingUsage } from './pending-usage.ts';

/**
 * Returns a part of the statement that stores usage. It adds the addresses of a batch to the stored addresses, and
 * keeps the addresses that were seen last. It reads from the part `stored`, so that the rows of usage are locked before
 * the rows of addresses, and all statements lock in the same order.
 */
export function upsertAddresses(batch: readonly (readonly [TokenId, PendingUsage])[]): RawBuilder<unknown> {
  const seen: object[] = [];
  for (const [id, usage] of batch) {
    const addresses = usage.addresses();
    if (addresses) seen.push({ id, ...addresses });
  }
  return sql`
    insert into token_addresses as kept (token_id, used, refused)
    select stored.token_id, seen.used, seen.refused
    from jsonb_to_recordset(${JSON.stringify(seen)}::jsonb) as seen (id uuid, used jsonb, refused jsonb)
    join stored on stored.token_id = seen.id
    order by stored.token_id
    on conflict (token_id) do update set used = ${merged('used')}, refused = ${merged('refused')}
    returning token_id`;
}

function merged(kind: 'used' | 'refused'): RawBuilder<unknown> {
  const reason =
    kind === 'refused' ? sql`, (array_agg(reason order by last desc, position))[1] as reason` : sql``;
  return mergedAddresses(sql.ref(`kept.${kind}`), sql.ref(`excluded.${kind}`), reason);
}

const DAY_MS = 86_400_000;

/**
 * Deletes addresses that were last seen before a day. Skips locked rows, such as rows that a usage recorder is
 * changing.
 */
export function forgetAddresses(db: Queries): TokenRepository['forgetAddresses'] {
  return async ({ before, limit }) => {
    const day = Math.floor(before / DAY_MS);
    const isRecent = (address: string) =>
      sql`(${sql.raw(address)} ->> 'last')::bigint >= ${day * DAY_MS}::bigint`;
    const recent = (kind: 'used' | 'refused' | 'kept.seen') => sql`
      coalesce((select jsonb_agg(one order by position) from jsonb_array_elements(${sql.ref(kind)})
        with ordinality as each (one, position) where ${isRecent('one')}), '[]')`;
    const { rows } = await sql<{ count: number }>`
      with old as (
        -- token_addresses_oldest_day
        select token_id, ${isRecent('used -> 0')} is true or ${isRecent('refused -> 0')} is true as remains
        from token_addresses where oldest_day < ${day} order by oldest_day limit ${limit} for update skip locked
      ), shortened as (
        update token_addresses set used = ${recent('used')}, refused = ${recent('refused')}
        from old where token_addresses.token_id = old.token_id and old.remains
      ), emptied as (
        delete from token_addresses using old where token_addresses.token_id = old.token_id and not old.remains
      ), old_at_services as (
        -- token_service_uses_last_used_day
        select token_id, service from token_service_uses
        where last_used_day < ${day} and last_used_from is not null and token_id = any(array(
          select token_id from token_service_uses where last_used_day < ${day} and last_used_from is not null
          group by token_id order by min(last_used_day) limit ${limit}))
        for update skip locked
      ), forgotten_at_services as (
        update token_service_uses as used set last_used_from = null from old_at_services as old
        where used.token_id = old.token_id and used.service = old.service
      ), old_outside as (
        -- token_outside_addresses_oldest_day
        select token_id, ${isRecent('seen -> 0')} as remains
        from token_outside_addresses where oldest_day < ${day} order by oldest_day limit ${limit}
        for update skip locked
      ), shortened_outside as (
        update token_outside_addresses as kept set seen = ${recent('kept.seen')}
        from old_outside as old where kept.token_id = old.token_id and old.remains
      ), emptied_outside as (
        delete from token_outside_addresses as kept using old_outside as old
        where kept.token_id = old.token_id and not old.remains
      )
      select count(*) from (select token_id from old union select token_id from old_at_services
        union select token_id from old_outside) as tokens
      where ${onPrimary}`.execute(db);
    return rows[0]?.count ?? 0;
  };
}
