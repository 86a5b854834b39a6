import type { TokenId, TokenRecord } from '@gatehouse/domain/tokens';
import { type InferResult, sql } from 'kysely';
import { joinedAccountColumns, toJoinedAccount } from '../accounts/account-records.ts';
import type { Queries, StoredAddress } from '../database/schema.ts';
import { toTokenUsage } from '../usage/usage-reading.ts';
import { joinedUserColumns, toJoinedUser } from '../users/user-records.ts';
import { tokenColumns, toToken } from './token-columns.ts';

/**
 * Selects tokens with all rows that decide whether they are accepted. One statement reads all rows, so they belong to
 * the same time.
 */
export function selectTokenRecords(db: Queries) {
  return db
    .selectFrom('tokens')
    .innerJoin('users', 'users.id', 'tokens.user_id')
    .innerJoin('accounts', 'accounts.id', 'tokens.account_id')
    .innerJoin('signing_keys', 'signing_keys.id', 'tokens.key_id')
    .select([...tokenColumns, ...joinedUserColumns, ...joinedAccountColumns])
    .select('signing_keys.state as key_state');
}

/**
 * Selects the records of tokens by their ids. `offset 0` makes PostgreSQL look up each token separately. Otherwise
 * PostgreSQL might read whole tables for several ids.
 */
export function selectTokenRecordsById(db: Queries, { ids }: { readonly ids: readonly TokenId[] }) {
  const asked = sql<{ readonly id: TokenId }>`unnest(${ids}::uuid[])`.as<'asked'>(sql`asked (id)`);
  // Uses the indexes tokens_pkey, users_pkey, accounts_pkey and signing_keys_pkey.
  const record = selectTokenRecords(db).whereRef('tokens.id', '=', sql.ref('asked.id')).offset(sql.lit(0));
  return db
    .selectFrom(asked)
    .innerJoinLateral(record.as('record'), (join) => join.onTrue())
    .selectAll('record');
}

export function toTokenRecord(row: InferResult<ReturnType<typeof selectTokenRecords>>[number]): TokenRecord {
  return Object.freeze({
    ...toToken(row),
    user: toJoinedUser(row),
    account: toJoinedAccount(row),
    keyState: row.key_state,
  });
}

/**
 * Selects the records of tokens, and details that are only shown to people: usage, addresses, the description, the
 * successor. The description is a subquery: PostgreSQL orders at most eight joins (`join_collapse_limit`), and with one
 * more it would read whole tables for a page.
 */
export function selectTokenDetails(db: Queries) {
  return selectTokenRecords(db)
    .leftJoin('token_usage', 'token_usage.token_id', 'tokens.id')
    .leftJoin('tokens as successor', (join) =>
      join.onRef('successor.replaces', '=', 'tokens.id').on('successor.revoked_at', 'is', null),
    )
    .select([
      'token_usage.last_used_at',
      'token_usage.last_refused_at',
      'token_usage.last_refused_reason',
      'token_usage.last_refused_by',
    ])
    .select((select) =>
      select
        .selectFrom('token_descriptions')
        .whereRef('token_descriptions.token_id', '=', 'tokens.id')
        .select('token_descriptions.description')
        .as('description'),
    )
    .leftJoin('token_addresses', 'token_addresses.token_id', 'tokens.id')
    .select([newestAddress('used').as('used_newest'), newestAddress('refused').as('refused_newest')])
    .select('successor.id as successor_id');
}

/** Selects the newest address in the row of `token_addresses`. */
export function newestAddress(kind: 'used' | 'refused') {
  return sql<StoredAddress | null>`${sql.ref(`token_addresses.${kind}`)} -> 0`;
}

export function toTokenDetails(row: InferResult<ReturnType<typeof selectTokenDetails>>[number]) {
  const { used_newest: used, refused_newest: refused } = row;
  return Object.freeze({
    ...toTokenRecord(row),
    usage: Object.freeze(toTokenUsage(row, { used: used ? [used] : [], refused: refused ? [refused] : [] })),
    description: row.description,
    successor: row.successor_id,
  });
}
