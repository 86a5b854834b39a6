import { SetupFault, UnavailableFault, UnstorableText } from '@gatehouse/domain';
import { describeFinding } from '@gatehouse/domain/health';
import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { aTestDatabase, connectClient, openAnother } from '../../../testing/open-test-store.ts';
import { createPostgresStoreProbe } from '../primary/store-probe.ts';
import { migrateToLatest } from './migrate.ts';

/** A migration that was begun makes an installation of the database. */
const BEGUN = `
  create table kysely_migration (name varchar(255) primary key, timestamp varchar(255) not null);
  create table kysely_migration_lock (id varchar(255) primary key, is_locked integer not null default 0)`;

async function codesOf(url: string) {
  const probe = createPostgresStoreProbe(openAnother({ url, poolSize: 1 }));
  return (await probe.unfitProperties()).map(({ code }) => code);
}

describe.each(['LATIN1', 'SQL_ASCII', 'EUC_JP', 'WIN1251'])('a database in %s', (encoding) => {
  test('is refused while it is empty, with the statement for one in UTF-8', async () => {
    const { url, database } = await aTestDatabase({ empty: true, encoding });
    const refused = migrateToLatest(database);
    await expect(refused).rejects.toThrow(SetupFault);
    await expect(refused).rejects.toThrow(
      /^[^\n]+ has the encoding \w+, not UTF8[^\n]+`createdb [^\n]+ --encoding=UTF8 [^\n]+ --template=template0 /,
    );
    await expect(refused).rejects.toThrow(encoding);
    const client = await connectClient(url);
    expect(
      (await client.query(`select from pg_class where relnamespace = 'public'::regnamespace`)).rowCount,
    ).toBe(0);
  });

  test('in which an installation lives is migrated, with a warning', async () => {
    const { url, database, store } = await aTestDatabase({ empty: true, encoding });
    const client = await connectClient(url);
    await client.query(BEGUN);
    const unfit: string[] = [];
    await migrateToLatest(database, { onUnfit: ({ code }) => void unfit.push(code) });
    expect(unfit).toEqual(['database_encoding']);
    expect(await codesOf(url)).toEqual(['database_encoding']);
    expect(await store.users.list({ limit: 1 })).toEqual([]);
  });
});

test('a text that the encoding does not have is a fault of its own, stored or compared, alone and in JSON', async () => {
  const { database } = await aTestDatabase({ empty: true, encoding: 'LATIN1' });
  for (const value of ['€', '田中', '👩🏽‍🚀']) {
    for (const statement of [
      sql`select ${value}::text`,
      sql`select ${JSON.stringify({ value })}::jsonb`,
      sql`select from pg_class where relname = ${value}`,
      sql`select from unnest(${[value]}::text[])`,
      sql`select ${sql.lit(value)}`,
    ]) {
      await expect(statement.execute(database.queries)).rejects.toThrow(UnstorableText);
    }
  }
});

test('a NUL is such a text in any encoding', async () => {
  const { database } = await aTestDatabase({ empty: true });
  for (const statement of [
    sql`select ${'a\u0000b'}::text`,
    sql`select ${'{"a":"\\u0000"}'}::jsonb ->> 'a'`,
  ]) {
    await expect(statement.execute(database.queries)).rejects.toThrow(UnstorableText);
  }
});

test('a look-up by an email that the encoding does not have finds no user', async () => {
  const { url, database, store } = await aTestDatabase({ empty: true, encoding: 'LATIN1' });
  await (await connectClient(url)).query(BEGUN);
  await migrateToLatest(database);
  const email = '田中@acme.example' as Parameters<typeof store.users.findByEmail>[0];
  expect(await store.users.findByEmail(email)).toBeUndefined();
  expect(await store.users.findCredentials(email)).toBeUndefined();
});

test('a fit database has none of these', async () => {
  const { url } = await aTestDatabase();
  expect(await codesOf(url)).toEqual([]);
});

test.each([
  ['session_replication_role', 'replica', 'database_triggers_off'],
  ['default_transaction_read_only', 'on', 'database_read_only'],
  ['search_path', 'nowhere', 'database_search_path'],
  ['search_path', "''", 'database_search_path'],
  ['search_path', 'pg_catalog', 'database_search_path'],
])('%s = %s is found, and an empty database that has it is refused', async (name, value, code) => {
  for (const empty of [false, true]) {
    const { url } = await aTestDatabase({ empty });
    const client = await connectClient(url);
    await client.query(`alter database ${new URL(url).pathname.slice(1)} set ${name} = ${value}`);
    expect(await codesOf(url)).toEqual([code]);
    const migrating = migrateToLatest(openAnother({ url, poolSize: 1 }));
    if (empty || name === 'search_path') await expect(migrating).rejects.toThrow(name);
    else await migrating.catch((fault) => expect(fault).toBeInstanceOf(UnavailableFault));
  }
});

test.each([
  ['the database', (database: string) => `alter database ${database}`],
  [
    'the role in the database',
    (database: string, role: string) => `alter role ${role} in database ${database}`,
  ],
])('what is set for %s is reset by the statement that is said', async (_, alterOf) => {
  for (const [name, value] of [
    ['search_path', 'nowhere'],
    ['default_transaction_read_only', 'on'],
    ['session_replication_role', 'replica'],
  ] as const) {
    const { url } = await aTestDatabase();
    const admin = await connectClient(url);
    const { rows } = await admin.query('select quote_ident(session_user) as role');
    await admin.query(`${alterOf(new URL(url).pathname.slice(1), rows[0].role)} set ${name} = ${value}`);
    const probe = () => createPostgresStoreProbe(openAnother({ url, poolSize: 1 })).unfitProperties();
    const [property] = await probe();
    const { remedy } = describeFinding(property ?? expect.fail(name));
    await admin.query(/`([^`]+)`/.exec(remedy)?.[1] ?? expect.fail(remedy));
    expect(await probe()).toEqual([]);
  }
});

test('a server that is too old, and a collation that changed, are described with what to do', () => {
  expect(describeFinding({ code: 'database_too_old', version: '14.9', needed: 15 }).message).toContain(
    'PostgreSQL 14.9: this program needs 15',
  );
  const changed = {
    code: 'database_collation_changed',
    database: 'gatehouse',
    made: '2.31',
    now: '2.36',
  } as const;
  expect(describeFinding(changed).remedy).toContain('alter database gatehouse refresh collation version;');
});
