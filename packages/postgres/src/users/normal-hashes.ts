import type { PasswordHash, UserId } from '@gatehouse/domain/users';
import { sql } from 'kysely';
import type { Queries } from '../database/schema.ts';

/**
 * Selects whether the hash in `users` was made from the normal form of the password (`normalPassword`). If
 * `normal_passwords` has another hash, a server of the previous version has replaced the hash in `users` with a hash of
 * the password as typed.
 */
export const isNormalHash = sql<boolean>`coalesce(normal_passwords.password_hash = users.password_hash, false)`;

/**
 * Records that the user's hash was made from the normal form of the password (`normalPassword`). The caller must have
 * locked the row of the user.
 */
export async function noteNormalHash(tx: Queries, id: UserId, hash: PasswordHash): Promise<void> {
  await tx
    .insertInto('normal_passwords')
    .values({ user_id: id, password_hash: hash })
    .onConflict((conflict) => conflict.column('user_id').doUpdateSet({ password_hash: hash }))
    .execute();
}

export async function forgetNormalHash(tx: Queries, id: UserId): Promise<void> {
  await tx.deleteFrom('normal_passwords').where('user_id', '=', id).execute();
}
