import type { Account } from '@gatehouse/domain/accounts';
import type { Selection } from 'kysely';
import { selected } from '../database/domain-names.ts';
import type { Queries, Schema } from '../database/schema.ts';
import type { TokenTable } from '../tokens/token-columns.ts';

export const accountColumns = selected('id', 'name', 'createdAt', 'suspendedAt');

/** Selects accounts, with columns that have the names of the domain. */
export function selectAccounts(db: Queries) {
  return db.selectFrom('accounts').select(accountColumns);
}

/** Selects the columns of accounts for a join with a table that has an `account_id`. */
export const joinedAccountColumns = [
  'accounts.name as account_name',
  'accounts.created_at as account_created_at',
  'accounts.suspended_at as account_suspended_at',
] as const;

type JoinedAccount = Selection<Schema, 'accounts', (typeof joinedAccountColumns)[number]>;

export function toJoinedAccount(row: JoinedAccount & Pick<TokenTable, 'account_id'>): Account {
  return Object.freeze({
    id: row.account_id,
    name: row.account_name,
    createdAt: row.account_created_at,
    suspendedAt: row.account_suspended_at,
  });
}
