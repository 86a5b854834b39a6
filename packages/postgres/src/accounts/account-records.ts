import type { Account } from '@gatehouse/domain/accounts';
import type { Selectable } from 'kysely';
import type { AccountTable } from '../database/schema.ts';

type Row = Selectable<AccountTable>;

export const accountColumns = ['id', 'name', 'created_at', 'suspended_at'] as const;

export function toAccount(row: Row): Account {
  return Object.freeze({
    id: row.id,
    name: row.name,
    createdAt: row.created_at,
    suspendedAt: row.suspended_at,
  });
}

/** Selects the account's columns for a join with a table that has an `account_id`. */
export const joinedAccountColumns = [
  'accounts.name as account_name',
  'accounts.created_at as account_created_at',
  'accounts.suspended_at as account_suspended_at',
] as const;

export function toJoinedAccount(row: {
  readonly account_id: Row['id'];
  readonly account_name: Row['name'];
  readonly account_created_at: Row['created_at'];
  readonly account_suspended_at: Row['suspended_at'];
}): Account {
  return toAccount({
    id: row.account_id,
    name: row.account_name,
    created_at: row.account_created_at,
    suspended_at: row.account_suspended_at,
  });
}
