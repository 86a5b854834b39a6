import type { Account, AccountId } from '@gatehouse/domain/accounts';
import type { User, UserId } from '@gatehouse/domain/users';
import { selectAccounts } from '../../accounts/account-records.ts';
import { selectUsers } from '../../users/user-records.ts';
import type { Queries } from '../schema.ts';

/*
 * Rows that decide about tokens are locked before they are changed. The creation of a token holds its account, user and
 * key FOR SHARE (insert-token.ts), and a rotation the user who rotates, too (rotate-token.ts), so they wait for each
 * other. Locks are always taken in this order, to avoid deadlocks: account, users, key, tokens, each by their ids;
 * sessions after their user.
 */

export function lockAccount(tx: Queries, id: AccountId): Promise<Account | undefined> {
  return selectAccounts(tx).where('id', '=', id).forNoKeyUpdate().executeTakeFirst();
}

/** Serializes changes of the account's users, so that counts over them stay true. */
export async function lockAccountOf(tx: Queries, id: UserId): Promise<void> {
  await tx
    .selectFrom('accounts')
    .innerJoin('users', 'users.account_id', 'accounts.id')
    .select('accounts.id')
    .where('users.id', '=', id)
    .forNoKeyUpdate('accounts')
    .execute();
}

/** Keeps the user's account as it is, and returns it. */
export async function shareAccountOf(tx: Queries, id: UserId): Promise<Account | undefined> {
  return selectAccounts(tx)
    .where('id', '=', tx.selectFrom('users').select('account_id').where('users.id', '=', id))
    .forShare()
    .executeTakeFirst();
}

/** Locks the user, and returns the password's hash beside it. */
export async function lockCredentials(tx: Queries, id: UserId) {
  const locked = selectUsers(tx).select('password_hash as passwordHash').where('id', '=', id);
  return locked.forNoKeyUpdate().executeTakeFirst();
}

export async function lockUser(tx: Queries, id: UserId): Promise<User | undefined> {
  return (await lockUsers(tx, [id])).get(id);
}

/** Locks several, in the order of their ids. */
export async function lockUsers(tx: Queries, ids: readonly UserId[]): Promise<ReadonlyMap<UserId, User>> {
  const users = await selectUsers(tx).where('id', 'in', ids).orderBy('id').forNoKeyUpdate().execute();
  return new Map(users.map((user) => [user.id, user]));
}
