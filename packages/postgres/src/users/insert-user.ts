import type { User, UserRepository } from '@gatehouse/domain/users';
import { emailKey } from '@gatehouse/domain/users';
import { rowOf } from '../database/domain-names.ts';
import type { Queries } from '../database/schema.ts';
import { noteNormalHash } from './normal-hashes.ts';
import { userColumns } from './user-records.ts';

/** Inserts a user with the hash of the normal form of a password. Returns undefined if a user has the address. */
export async function insertUser(
  tx: Queries,
  inserting: Parameters<UserRepository['insert']>[0],
): Promise<User | undefined> {
  const user = await tx
    .insertInto('users')
    .values(rowOf({ ...inserting, emailKey: emailKey(inserting.email) }))
    .onConflict((conflict) => conflict.column('email_key').doNothing())
    .returning(userColumns)
    .executeTakeFirst();
  if (user) await noteNormalHash(tx, user.id, inserting.passwordHash);
  return user;
}
