import type { AccountId } from '@gatehouse/domain/accounts';
import type { User } from '@gatehouse/domain/users';
import type { Queries } from '../database/schema.ts';
import { selectUsers } from './user-records.ts';

/** Selects the persons who are active admins of an account. Uses the index users_admins. */
export function selectAdmins(db: Queries, accountId: AccountId) {
  const users = selectUsers(db).where('account_id', '=', accountId);
  return users.where('kind', '=', 'person').where('role', '=', 'admin').where('disabled_at', 'is', null);
}

/**
 * Returns whether this user is the last person who is an active admin of the account. The caller must have locked the
 * row of the account, so that the other users of the account cannot change.
 */
export async function isLastAdmin(tx: Queries, user: User): Promise<boolean> {
  if (user.kind !== 'person' || user.role !== 'admin' || user.disabledAt !== null) return false;
  const others = selectAdmins(tx, user.accountId).where('id', '<>', user.id).limit(1);
  return (await others.executeTakeFirst()) === undefined;
}
