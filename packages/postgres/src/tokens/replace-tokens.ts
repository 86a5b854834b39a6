import type { Instant } from '@gatehouse/domain/time';
import type { TokenId } from '@gatehouse/domain/tokens';
import { type RawBuilder, sql } from 'kysely';
import { auditColumns } from '../audit/audit-events.ts';
import type { Moment } from '../database/statements/conditions.ts';
import { isLiveRow, passes } from './refusal-conditions.ts';

/**
 * Returns parts of the statement that stores usage. The first use of a successor sets the time at which its predecessor
 * expires, and records an event. These parts run after the parts `stored` and `addresses`.
 *
 * Successors are rare. To find whether a token is one, each first use costs one look-up in the index `tokens_pkey`.
 * Then the successors and their predecessors are locked, all of them in the order of their ids, which is the order of
 * every change of several tokens. Under these locks, the statement decides when a predecessor expires. If several nodes
 * store the same use at once, only one of them sets that time. A successor that was revoked meanwhile does not end its
 * predecessor.
 */
export function replaceTokens(firstUses: readonly (readonly [TokenId, Instant])[]): RawBuilder<unknown> {
  const ids = firstUses.map(([id]) => id);
  const moments = firstUses.map(([, at]) => at);
  const at: Moment = sql`first_use.at`;
  return sql`
    first_use as (
      select successor.id, successor.replaces,
        -- A server whose clock is ahead must not delay the predecessor's end.
        least(to_timestamp(used.at_ms / 1000::float8), clock_timestamp()) as at
      from unnest(${ids}::uuid[], ${moments}::bigint[]) as used (id, at_ms)
      join tokens as successor on successor.id = used.id
      join tokens as predecessor on predecessor.id = successor.replaces
      where predecessor.replaced_at is null
        -- Locks tokens after the rows of usage, as every statement does.
        and (select count(*) from stored) > 0 and (select count(*) from addresses) >= 0
    ), held as (
      select id, revoked_at, expires_at, replaced_at, grace_ms from tokens
      -- tokens_pkey, even for many tokens
      where id = any(array(select id from first_use union select replaces from first_use))
      order by id for no key update
    ), replaced as (
      update tokens set
        replaced_at = first_use.at,
        expires_at = least(predecessor.expires_at, first_use.at + successor.grace_ms * interval '1 millisecond')
      from first_use
      join held as successor on successor.id = first_use.id
      join held as predecessor on predecessor.id = first_use.replaces
      where tokens.id = predecessor.id
        and ${passes('revoked', at, 'successor')} and predecessor.replaced_at is null
        and ${isLiveRow(at, 'predecessor')}
      returning tokens.id, tokens.account_id, tokens.name, tokens.expires_at, tokens.replaced_at,
        successor.id as successor_id
    ), replacement_told as (
      insert into audit_events ${auditColumns}
      select replaced_at, jsonb_build_object('kind', 'token', 'id', successor_id), 'usage', 'token.replaced',
        'token', id::text, account_id,
        jsonb_build_object('name', name, 'successor_id', successor_id,
          'expires_at', to_char(expires_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))
      from replaced order by id
    )`;
}
