import type { AddressOfUse, TokenId, TokenUsage, TokenUsageWithAddresses } from '@gatehouse/domain/tokens';
import { addressAt, NEVER_USED } from '@gatehouse/domain/tokens';
import type { Selectable } from 'kysely';
import type { Queries, Schema, StoredAddress } from '../database/schema.ts';
import { toUsesAtServices, usesAtServices } from './service-use-records.ts';

type UsageRow = Omit<Selectable<Schema['token_usage']>, 'token_id'>;

type StoredAddresses = Omit<Selectable<Schema['token_addresses']>, 'token_id'>;

const NO_ADDRESSES = Object.freeze([]);
const NONE = Object.freeze({
  ...NEVER_USED,
  usedFrom: NO_ADDRESSES,
  refusedFrom: NO_ADDRESSES,
  usedAt: Object.freeze([]),
  reportedFrom: NO_ADDRESSES,
});

/**
 * Reads the usage of one token, with its addresses and services. Uses the indexes token_usage_pkey,
 * token_addresses_pkey and token_outside_addresses_pkey.
 */
export async function findUsage(db: Queries, id: TokenId): Promise<TokenUsageWithAddresses> {
  const row = await db
    .selectFrom('token_usage')
    .leftJoin('token_addresses', 'token_addresses.token_id', 'token_usage.token_id')
    .leftJoin('token_outside_addresses as outside', 'outside.token_id', 'token_usage.token_id')
    .where('token_usage.token_id', '=', id)
    .select(['last_used_at', 'last_refused_at', 'last_refused_reason', 'last_refused_by', 'used', 'refused'])
    .select('outside.seen as reported')
    .select(usesAtServices.as('uses_at_services'))
    .executeTakeFirst();
  if (row === undefined) return NONE;
  const [used, refused] = [row.used ?? [], row.refused ?? []];
  return Object.freeze({
    ...toTokenUsage(row, { used, refused }),
    ...toAddresses({ used, refused }),
    usedAt: toUsesAtServices(row.uses_at_services),
    reportedFrom: toFrozenAddresses(row.reported ?? []),
  });
}

const toFrozenAddresses = (stored: readonly StoredAddress[]) =>
  Object.freeze(stored.map((each) => Object.freeze(toAddress(each))));

/** Converts the addresses in the row of a token, the newest before older ones. */
export function toAddresses({ used, refused }: StoredAddresses) {
  return {
    usedFrom: toFrozenAddresses(used),
    refusedFrom: Object.freeze(
      refused.map((each) => Object.freeze({ ...toAddress(each), reason: each.reason })),
    ),
  };
}

/**
 * Converts the usage in the row of a token. `used` and `refused` are its addresses, the newest before older ones. Lists
 * with only the newest address are enough.
 */
export function toTokenUsage(
  {
    last_used_at: lastUsedAt,
    last_refused_at: at,
    last_refused_reason: reason,
    last_refused_by: service,
  }: UsageRow,
  { used, refused }: { readonly used: readonly StoredAddress[]; readonly refused: readonly StoredAddress[] },
): TokenUsage {
  const lastUsedFrom = addressAt(lastUsedAt, used.map(toAddress));
  const lastRefusal =
    at === null || reason === null
      ? null
      : Object.freeze({
          at,
          reason,
          from: addressAt(at, refused.map(toAddress)),
          ...(service !== null && { reportedBy: service }),
        });
  return { lastUsedAt, lastUsedFrom, lastRefusal };
}

export function toAddress({ address, first, last, times }: StoredAddress): AddressOfUse {
  return { address, firstAt: first, lastAt: last, times };
}
