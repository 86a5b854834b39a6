import { type EmailKey, emailKey, formerEmailKey, type User } from '@gatehouse/domain/users';
import { type RawBuilder, type Selection, type SqlBool, sql } from 'kysely';
import { selected } from '../database/domain-names.ts';
import type { Queries, Schema } from '../database/schema.ts';
import type { TokenTable } from '../tokens/token-columns.ts';

/** Selects users, with columns that have the names of the domain. */
export function selectUsers(db: Queries) {
  return db.selectFrom('users').select(userColumns);
}

export const userColumns = selected(
  'id',
  'accountId',
  'kind',
  'email',
  'name',
  'role',
  'createdAt',
  'disabledAt',
  'confirmedUntil',
);

/** Selects the columns of users for a join with a table that has a `user_id` and an `account_id`. */
export const joinedUserColumns = [
  'users.kind as user_kind',
  'users.email as user_email',
  'users.name as user_name',
  'users.role as user_role',
  'users.created_at as user_created_at',
  'users.disabled_at as user_disabled_at',
  'users.confirmed_until as user_confirmed_until',
] as const;

type JoinedUser = Selection<Schema, 'users', (typeof joinedUserColumns)[number]>;

export function toJoinedUser(row: JoinedUser & Pick<TokenTable, 'user_id' | 'account_id'>): User {
  return Object.freeze({
    id: row.user_id,
    accountId: row.account_id,
    kind: row.user_kind,
    email: row.user_email,
    name: row.user_name,
    role: row.user_role,
    createdAt: row.user_created_at,
    disabledAt: row.user_disabled_at,
    confirmedUntil: row.user_confirmed_until,
  });
}

/**
 * The keys under which a user with an email may be stored: the current key, and the key that older versions stored.
 */
export interface EmailKeys {
  readonly key: EmailKey;
  readonly former: EmailKey;
}

export function emailKeysOf(email: string): EmailKeys {
  return { key: emailKey(email), former: formerEmailKey(email) };
}

/** The condition that a user is stored under one of the keys. Uses the index users_email_key_unique. */
export function isStoredUnder({ key, former }: EmailKeys): RawBuilder<SqlBool> {
  return sql`users.email_key in (${former}, ${key})`;
}

/**
 * Sorts a user under the former key before a user under the current key. With a limit of 1, the result is the user whom
 * `UserRepository.findByEmail` finds.
 */
export function formerFirst({ former }: EmailKeys): RawBuilder<boolean> {
  return sql`users.email_key <> ${former}`;
}
