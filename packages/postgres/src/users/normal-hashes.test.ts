import { anEvent, aRevocation, givenAdmin } from '@gatehouse/domain/testing';
import type { PasswordHash } from '@gatehouse/domain/users';
import { sql } from 'kysely';
import { afterAll, expect, test } from 'vitest';
import { openTestDatabase } from '../../testing/open-test-store.ts';
import { createPostgresRepositories } from '../repositories.ts';

const [OLDER, NEWER] = ['$older', '$newer'] as PasswordHash[] as [PasswordHash, PasswordHash];

test('a hash that a server of the version before stores is of the password as typed, whatever was stored before', async () => {
  const { database, store, close } = await openTestDatabase();
  afterAll(close);
  const { users } = createPostgresRepositories(database);
  const user = await givenAdmin(store);
  const stored = async () => {
    const { passwordHash, passwordForm } = (await users.findCredentials(user.email)) ?? {};
    return [passwordHash, passwordForm];
  };
  await users.setPassword(user.id, NEWER, aRevocation(), anEvent());
  expect(await stored()).toEqual([NEWER, 'normal']);
  // As the version before sets a password and replaces a hash.
  await sql`update users set password_hash = ${OLDER} where id = ${user.id}`.execute(database.queries);
  expect(await stored()).toEqual([OLDER, 'as-typed']);
  await users.replacePasswordHash(user.id, { verified: OLDER, hash: OLDER, form: 'normal' });
  expect(await stored()).toEqual([OLDER, 'normal']);
});
