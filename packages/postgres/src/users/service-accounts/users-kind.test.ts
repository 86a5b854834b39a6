import { givenAdmin, givenServiceAccount } from '@gatehouse/domain/testing';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { aTestDatabase } from '../../../testing/open-test-store.ts';
import { createPostgresRepositories } from '../../repositories.ts';

test('the database refuses a password of a service account, and a person without one', async () => {
  const { database } = await aTestDatabase();
  const admin = await givenAdmin(createPostgresRepositories(database));
  const { user } = await givenServiceAccount(createPostgresRepositories(database), admin);
  // Statements as a server of an older version sends them, by an id.
  const setHash = (id: number, hash: string | null) =>
    sql`update users set password_hash = ${hash} where id = ${id}`.execute(database.queries);
  await expect(setHash(user.id, '$test$hash')).rejects.toThrow('users_kind');
  await expect(setHash(admin.id, null)).rejects.toThrow('users_kind');
  const become = sql`update users set kind = 'service' where id = ${admin.id}`.execute(database.queries);
  await expect(become).rejects.toThrow('users_kind');
  // An older server names no kind, and makes persons only.
  const { rows } = await sql<{ readonly kind: string }>`
    insert into users (account_id, email, email_key, name, role, password_hash, created_at)
      values (${admin.accountId}, 'bo@acme.example', 'bo@acme.example', 'Bo', 'member', 'x', now())
    returning kind`.execute(database.queries);
  expect(rows).toEqual([{ kind: 'person' }]);
});
