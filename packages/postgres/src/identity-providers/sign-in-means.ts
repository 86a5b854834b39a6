import type { SignInMeans } from '@gatehouse/domain/identity-providers';
import type { UserId } from '@gatehouse/domain/users';
import { sql } from 'kysely';
import type { Queries } from '../database/schema.ts';

/** Reads how a person can sign in, without the identities. Uses the indexes users_pkey and sign_in_means_pkey. */
export async function readMeans(
  db: Queries,
  id: UserId,
): Promise<Omit<SignInMeans, 'identities'> | undefined> {
  const row = await db
    .selectFrom('users')
    .leftJoin('sign_in_means as means', 'means.user_id', 'users.id')
    .select([
      'means.email_proved_at as emailProvedAt',
      'means.break_glass_at as breakGlassAt',
      'means.password_open_until as passwordOpenUntil',
      sql<boolean>`users.password_hash is distinct from means.unknown_hash`.as('hasPassword'),
    ])
    .where('users.id', '=', id)
    .where('users.kind', '=', 'person')
    .executeTakeFirst();
  return row && { ...row };
}
