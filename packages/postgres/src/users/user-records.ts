import type { User } from '@gatehouse/domain/users';
import type { Selectable } from 'kysely';
import type { UserTable } from '../database/schema.ts';

type Row = Omit<Selectable<UserTable>, 'email_key' | 'password_hash'>;

export const userColumns = [
  'users.id',
  'users.account_id',
  'users.email',
  'users.name',
  'users.role',
  'users.created_at',
  'users.disabled_at',
] as const;

export function toUser(row: Row): User {
  return Object.freeze({
    id: row.id,
    accountId: row.account_id,
    email: row.email,
    name: row.name,
    role: row.role,
    createdAt: row.created_at,
    disabledAt: row.disabled_at,
  });
}

/** Selects the user's columns for a join with a table that has a `user_id` and an `account_id`. */
export const joinedUserColumns = [
  'users.email as user_email',
  'users.name as user_name',
  'users.role as user_role',
  'users.created_at as user_created_at',
  'users.disabled_at as user_disabled_at',
] as const;

export function toJoinedUser(row: {
  readonly user_id: Row['id'];
  readonly account_id: Row['account_id'];
  readonly user_email: Row['email'];
  readonly user_name: Row['name'];
  readonly user_role: Row['role'];
  readonly user_created_at: Row['created_at'];
  readonly user_disabled_at: Row['disabled_at'];
}): User {
  return toUser({
    id: row.user_id,
    account_id: row.account_id,
    email: row.user_email,
    name: row.user_name,
    role: row.user_role,
    created_at: row.user_created_at,
    disabled_at: row.user_disabled_at,
  });
}
