import type { Instant } from '@gatehouse/domain/time';
import type { TokenDetails, TokenId, UsageRefusal } from '@gatehouse/domain/tokens';
import type { Kysely } from 'kysely';
import type { Schema } from '../database/schema.ts';
import { selectTokenRecords, toTokenRecord } from './select-token-records.ts';

/** Selects tokens with all their details: their records, and what only users look at. */
export function selectTokenDetails(db: Kysely<Schema>) {
  return selectTokenRecords(db)
    .leftJoin('token_usage', 'token_usage.token_id', 'tokens.id')
    .leftJoin('tokens as successor', (join) =>
      join.onRef('successor.replaces', '=', 'tokens.id').on('successor.revoked_at', 'is', null),
    )
    .select([
      'token_usage.last_used_at',
      'token_usage.last_refused_at',
      'token_usage.last_refused_reason',
      'successor.id as successor_id',
    ]);
}

export function toTokenDetails(
  row: Parameters<typeof toTokenRecord>[0] & {
    readonly last_used_at: Instant | null;
    readonly last_refused_at: Instant | null;
    readonly last_refused_reason: UsageRefusal | null;
    readonly successor_id: TokenId | null;
  },
): TokenDetails {
  const { last_refused_at: at, last_refused_reason: reason } = row;
  return Object.freeze({
    ...toTokenRecord(row),
    usage: Object.freeze({
      lastUsedAt: row.last_used_at,
      lastRefusal: at === null || reason === null ? null : Object.freeze({ at, reason }),
    }),
    successor: row.successor_id,
  });
}
