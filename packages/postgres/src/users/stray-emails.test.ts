import { emailKey, formerEmailKey } from '@gatehouse/domain/users';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { aTestDatabase } from '../../testing/open-test-store.ts';
import { createPostgresRepositories } from '../repositories.ts';
import { rekeyEmails } from './stray-emails.ts';

/** Opens a database with these users, in this order, as servers of the version before store them. */
async function arrange() {
  const { database } = await aTestDatabase();
  const { queries } = database;
  await sql`insert into accounts (name, created_at) values ('Acme', now())`.execute(queries);
  const given = async (...emails: readonly string[]) => {
    const rows = emails.map(
      (email) => sql`(1, ${email}, ${formerEmailKey(email)}, 'Ada', 'member', 'x', now())`,
    );
    await sql`insert into users (account_id, email, email_key, name, role, password_hash, created_at)
      values ${sql.join(rows)}`.execute(queries);
  };
  const keys = async () => {
    const { rows } = await sql<{ email: string; key: string }>`
      select email, email_key as key from users order by id`.execute(queries);
    return new Map(rows.map(({ email, key }) => [email, key]));
  };
  const { users } = createPostgresRepositories(database);
  return { database, queries, given, keys, users };
}

const [CARON, COMPOSED] = ['J\u030coe@acme.example', '\u01f0oe@acme.example'];

test('all users are stored under the key of their address, however many, and twice changes nothing', async () => {
  const { database, given, keys } = await arrange();
  const many = Array.from({ length: 2100 }, (_, index) => `Straße-${index}@acme.example`);
  await given('Ada@acme.example', ...many, 'É@acme.example', 'νίκος@acme.example');
  for (const turn of [1, 2]) {
    await rekeyEmails(database);
    const stored = await keys();
    expect(stored.size).toBe(2103);
    for (const [email, key] of stored) expect(key, `turn ${turn}`).toBe(emailKey(email));
  }
});

test('of users with one address the first gets its key, the others keep theirs, and each is found as before', async () => {
  const { database, given, keys, users } = await arrange();
  await given(CARON, COMPOSED, 'ıd@acme.example', 'ID@acme.example', 'ς@a', 'σ@a', 'ﬁ@a', 'ｆi@a');
  const before = await keys();
  await rekeyEmails(database);
  expect(await keys()).toEqual(new Map([...before, ['ﬁ@a', 'fi@a']]));
  expect(await users.listStrayEmails(9)).toEqual([
    { email: CARON, sharedWith: COMPOSED },
    { email: 'ıd@acme.example', sharedWith: 'ID@acme.example' },
    { email: 'ς@a', sharedWith: 'σ@a' },
    { email: 'ｆi@a', sharedWith: 'ﬁ@a' },
  ]);
  expect(await users.listStrayEmails(1)).toHaveLength(1);
  for (const email of before.keys()) {
    expect((await users.findByEmail(email))?.email).toBe(email);
    expect((await users.findCredentials(email))?.user.email).toBe(email);
  }
  // The new spellings find the user who has the key.
  expect((await users.findByEmail('\u01f0OE@acme.example'))?.email).toBe(COMPOSED);
});

test('a user whom a server of the version before stores after the migration is found, told of, and stored anew by the next one', async () => {
  const { database, given, keys, users } = await arrange();
  await given('Straße@acme.example');
  expect((await users.findByEmail('straße@ACME.example'))?.email).toBe('Straße@acme.example');
  expect(await users.listStrayEmails(9)).toEqual([{ email: 'Straße@acme.example', sharedWith: null }]);
  await rekeyEmails(database);
  expect([...(await keys()).values()]).toEqual(['strasse@acme.example']);
  expect(await users.listStrayEmails(9)).toEqual([]);
});
