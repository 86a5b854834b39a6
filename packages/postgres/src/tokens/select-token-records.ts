import type { KeyState } from '@gatehouse/domain/signing-keys';
import type { TokenRecord } from '@gatehouse/domain/tokens';
import type { Kysely } from 'kysely';
import { joinedAccountColumns, toJoinedAccount } from '../accounts/account-records.ts';
import type { Schema } from '../database/schema.ts';
import { joinedUserColumns, toJoinedUser } from '../users/user-records.ts';
import { tokenColumns, toToken } from './token-records.ts';

/** Selects tokens with everything that decides about them, in one statement and so as of one moment. */
export function selectTokenRecords(db: Kysely<Schema>) {
  return db
    .selectFrom('tokens')
    .innerJoin('users', 'users.id', 'tokens.user_id')
    .innerJoin('accounts', 'accounts.id', 'tokens.account_id')
    .innerJoin('signing_keys', 'signing_keys.id', 'tokens.key_id')
    .select([
      ...tokenColumns,
      ...joinedUserColumns,
      ...joinedAccountColumns,
      'signing_keys.state as key_state',
    ]);
}

export function toTokenRecord(
  row: Parameters<typeof toToken>[0] &
    Parameters<typeof toJoinedUser>[0] &
    Parameters<typeof toJoinedAccount>[0] & { readonly key_state: KeyState },
): TokenRecord {
  return Object.freeze({
    ...toToken(row),
    user: toJoinedUser(row),
    account: toJoinedAccount(row),
    keyState: row.key_state,
  });
}
