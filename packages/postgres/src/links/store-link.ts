import type { NewResetLink } from '@gatehouse/domain/links';
import type { UserId } from '@gatehouse/domain/users';
import { rowOf } from '../database/domain-names.ts';
import type { Queries } from '../database/schema.ts';
import { lockAccount } from '../database/statements/row-locks.ts';
import { codeColumns } from './link-records.ts';

/** Stores a link, which replaces another link of the user. The caller must have locked the user. */
export async function storeLink(tx: Queries, link: NewResetLink): Promise<void> {
  const { userId, codeHash, isMailed, ...rest } = link;
  const row = { ...rowOf(rest), ...codeColumns({ codeHash, isMailed }) };
  await tx
    .insertInto('reset_links')
    .values({ ...row, user_id: userId })
    .onConflict((conflict) => conflict.column('user_id').doUpdateSet(row))
    .execute();
}

export async function lockAccountOfUser(tx: Queries, id: UserId) {
  const place = await tx.selectFrom('users').select('account_id').where('id', '=', id).executeTakeFirst();
  return place && lockAccount(tx, place.account_id);
}

export async function wasAdmin(tx: Queries, id: UserId): Promise<boolean> {
  const noted = tx.selectFrom('once_admins').select('user_id').where('user_id', '=', id);
  return (await noted.executeTakeFirst()) !== undefined;
}
