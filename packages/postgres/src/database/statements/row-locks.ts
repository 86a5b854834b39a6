import type { Account, AccountId } from '@gatehouse/domain/accounts';
import type { User, UserId } from '@gatehouse/domain/users';
import { selectAccounts } from '../../accounts/account-records.ts';
import { selectUsers } from '../../users/user-records.ts';
import type { Queries } from '../schema.ts';

/*
 * Rows on which tokens depend are locked before they are changed. The creation of a token locks its account, its user
 * and its key FOR SHARE (insert-token.ts); a rotation also locks the user who rotates (rotate-token.ts). Therefore a
 * change of these rows waits for tokens that are being created, and new tokens wait for the change. To avoid deadlocks,
 * all transactions lock rows in one order: account, users, key, tokens. Rows of one table are locked in the order of
 * their ids, and sessions after their user.
 */

export function lockAccount(tx: Queries, id: AccountId): Promise<Account | undefined> {
  return selectAccounts(tx).where('id', '=', id).forNoKeyUpdate().executeTakeFirst();
}

/**
 * Locks the user's account. Until the transaction ends, no user of the account can change, so a count of these users
 * stays correct.
 */
export async function lockAccountOf(tx: Queries, id: UserId): Promise<void> {
  await tx
    .selectFrom('accounts')
    .innerJoin('users', 'users.account_id', 'accounts.id')
    .select('accounts.id')
    .where('users.id', '=', id)
    .forNoKeyUpdate('accounts')
    .execute();
}

/** Returns the user's account, which cannot change before the transaction ends. */
export async function shareAccountOf(tx: Queries, id: UserId): Promise<Account | undefined> {
  return selectAccounts(tx)
    .where('id', '=', tx.selectFrom('users').select('account_id').where('users.id', '=', id))
    .forShare()
    .executeTakeFirst();
}

/** Locks the user, and returns the user with the hash of the password and the enrolment of the second factor. */
export async function lockCredentials(tx: Queries, id: UserId) {
  const locked = selectUsers(tx)
    .select(['password_hash as passwordHash', 'second_factor_at as secondFactorAt'])
    .where('id', '=', id);
  return locked.forNoKeyUpdate().executeTakeFirst();
}

export async function lockUser(tx: Queries, id: UserId): Promise<User | undefined> {
  return (await lockUsers(tx, [id])).get(id);
}

/** Locks several users, in the order of their ids. */
export async function lockUsers(tx: Queries, ids: readonly UserId[]): Promise<ReadonlyMap<UserId, User>> {
  const users = await selectUsers(tx).where('id', 'in', ids).orderBy('id').forNoKeyUpdate().execute();
  return new Map(users.map((user) => [user.id, user]));
}
