import { randomBytes } from 'node:crypto';
import { SetupFault } from '@gatehouse/domain';
import { recordSkip } from '@gatehouse/fault-figures';
import { hasPgBouncer, startPgBouncer } from '@gatehouse/test-database';
import { sql } from 'kysely';
import type pg from 'pg';
import { describe, expect, onTestFinished, test } from 'vitest';
import { aTestDatabase, connectClient, openAnother } from '../../../testing/open-test-store.ts';
import { createPostgresRepositories } from '../../repositories.ts';
import { migrateToLatest } from '../migrator/migrate.ts';
import { mendOfConnection, mendOfStatement } from './operator-mistakes.ts';

/** A database whose sessions work as a role that has no rights in it, but for those of every role. */
async function arrange({ empty = false } = {}) {
  const { url } = await aTestDatabase({ empty });
  const admin = await connectClient(url);
  const role = `Role ${randomBytes(8).toString('hex')}`;
  await admin.query(`create role "${role}"; grant "${role}" to current_user`);
  await admin.query(`alter database ${new URL(url).pathname.slice(1)} set role = '${role}'`);
  onTestFinished(
    async () => void (await admin.query(`drop owned by "${role}" cascade; drop role "${role}"`)),
  );
  return { admin, role, open: () => openAnother({ url, poolSize: 2 }) };
}

/** The message of what this rejects with. */
const faultOf = (work: Promise<unknown>) =>
  work.then(
    () => expect.fail('it succeeded'),
    (fault: Error) => {
      expect(fault.message).toMatch(/^[^\n]+$/);
      return fault;
    },
  );

/** The statement in a message. */
const statementIn = (message: string) => /`([^`]+)`/.exec(message)?.[1] ?? expect.fail(message);

const countUsers = (url: URL) =>
  createPostgresRepositories(openAnother({ url: url.href, poolSize: 1 })).users.list({ limit: 1 });

describe('a right that is missing is named, with a statement that grants it', () => {
  test('to create tables in the schema, as PostgreSQL 15 has it', async () => {
    const { admin, role, open } = await arrange({ empty: true });
    const fault = await faultOf(migrateToLatest(open()));
    expect(fault).toBeInstanceOf(SetupFault);
    expect(fault.message).toContain('permission denied for schema public');
    expect(statementIn(fault.message)).toBe(`grant usage, create on schema public to "${role}";`);
    await admin.query(statementIn(fault.message));
    expect(await migrateToLatest(open())).not.toEqual([]);
  });

  test('to use the schema', async () => {
    const { admin, role, open } = await arrange({ empty: true });
    await admin.query('revoke usage on schema public from public');
    const fault = await faultOf(migrateToLatest(open()));
    expect(fault).toBeInstanceOf(SetupFault);
    expect(fault.message).toContain('search_path');
    expect(statementIn(fault.message)).toBe(`grant usage, create on schema public to "${role}";`);
    await admin.query(statementIn(fault.message));
    expect(await migrateToLatest(open())).not.toEqual([]);
  });

  test.each([
    ['read', 'select from public.users', 'permission denied for table users'],
    ['change', 'alter table public.users add column colour text', 'must be owner of table users'],
  ])('to %s a table', async (_, statement, said) => {
    const { admin, role, open } = await arrange();
    const fault = await faultOf(sql.raw(statement).execute(open().queries));
    expect(fault).toBeInstanceOf(SetupFault);
    expect(fault.message).toContain(said);
    expect(statementIn(fault.message)).toBe(`alter table users owner to "${role}";`);
    await admin.query(`grant create, usage on schema public to "${role}"`);
    await admin.query(statementIn(fault.message));
    await sql.raw(statement).execute(open().queries);
  });

  test('to use a sequence', async () => {
    const { admin, role, open } = await arrange();
    await admin.query('create sequence numbers');
    const fault = await faultOf(sql`select nextval('public.numbers')`.execute(open().queries));
    expect(statementIn(fault.message)).toBe(`alter sequence numbers owner to "${role}";`);
  });
});

const AS = { user: 'gatehouse', database: 'acme-directory' };

test.each([
  ['28P01', 'password authentication failed for user "gatehouse"', 'check the user and the password'],
  ['28000', 'role "gatehouse" does not exist', '`createuser --pwprompt -- gatehouse`'],
  ['28000', 'role "gatehouse" is not permitted to log in', '`alter role gatehouse login;`'],
  ['28000', 'no pg_hba.conf entry for host "192.0.2.7", user "gatehouse"', 'pg_hba.conf has to'],
  [
    '3D000',
    'database "acme-directory" does not exist',
    '--encoding=UTF8 --template=template0 -- acme-directory`',
  ],
  [
    '42501',
    'permission denied for database "acme-directory"',
    '`grant connect on database "acme-directory" to gatehouse;`',
  ],
  ['53300', 'sorry, too many clients already', 'lower DATABASE_POOL_SIZE'],
  ['55000', 'database "acme-directory" is not currently accepting connections', 'allow_connections true;`'],
  ['58P01', 'could not access file "$libdir/plugins/nowhere"', 'local_preload_libraries'],
  ['08P01', 'unsupported startup parameter: options', 'ignore_startup_parameters = options'],
  ['08P01', 'SASL authentication failed', 'check the user and the password'],
  ['57014', 'canceling statement due to statement timeout', '`alter role gatehouse reset statement_timeout;'],
  ['57P05', 'terminating connection due to idle-session timeout', 'reset idle_session_timeout;'],
  ['25P04', 'terminating connection due to transaction timeout', 'reset transaction_timeout;'],
  ['08P01', 'no such database: acme-directory', '[databases] in pgbouncer.ini'],
])('a connection that is refused by %s (%s) is told with what mends it', (code, message, said) => {
  expect(mendOfConnection({ code, message, routine: '' }, AS)).toContain(said);
});

test('a pooler that allows no transactions is told with what mends it', () => {
  const message = 'transaction blocks not allowed in statement pooling mode';
  expect(mendOfStatement({ code: '08P01', message, routine: '' }, AS)).toContain('pool_mode = transaction');
  expect(
    mendOfStatement({ code: '08P01', message: 'invalid frontend message type 64', routine: '' }, AS),
  ).toBeUndefined();
});

test('names are quoted for a shell', () => {
  const as = { user: "o'hara", database: 'my directory; exit' };
  expect(mendOfConnection({ code: '3D000', message: '', routine: '' }, as)).toContain(
    "`createdb --owner='o'\\''hara' --encoding=UTF8 --template=template0 -- 'my directory; exit'`",
  );
});

test.each([
  ['28000', 'no'],
  ['57P03', 'the database system is starting up'],
  ['08P01', 'query_wait_timeout'],
])('one that is refused by %s (%s) is told as it is', (code, message) => {
  expect(mendOfConnection({ code, message, routine: '' }, AS)).toBeUndefined();
});

test.each([
  ['table', 'drop table sessions cascade', 'select from sessions'],
  ['column', 'alter table users drop column name', 'select name from users'],
])('a %s that is missing is told as a schema of another version', async (_, change, statement) => {
  const { url, database } = await aTestDatabase();
  await (await connectClient(url)).query(change);
  const fault = await faultOf(sql.raw(statement).execute(database.queries));
  expect(fault).toBeInstanceOf(SetupFault);
  expect(fault.message).toContain('`gatehouse doctor`');
});

test('the refusal of a trigger of ours is no mistake of an operator', async () => {
  const { database, store } = await aTestDatabase();
  expect(await store.users.list({ limit: 1 })).toEqual([]);
  await sql`insert into audit_events (at, actor, origin, action, subject_type, subject_id, details)
    values (now(), '{"kind":"operator","name":"x"}', 'x', 'account.created', 'account', '1', '{}')`.execute(
    database.queries,
  );
  const fault = await faultOf(sql`delete from audit_events`.execute(database.queries));
  expect(fault).not.toBeInstanceOf(SetupFault);
  expect(fault.message).toBe('audit events are never changed and never deleted');
});

test('a database that takes no changes names the setting', async () => {
  const { url } = await aTestDatabase();
  const client: pg.Client = await connectClient(url);
  await client.query(
    `alter database ${new URL(url).pathname.slice(1)} set default_transaction_read_only = on`,
  );
  const { queries } = openAnother({ url, poolSize: 1 });
  const fault = await faultOf(sql`delete from sessions`.execute(queries));
  expect(fault.message).toContain('default_transaction_read_only');
});

const reason = hasPgBouncer() ? undefined : 'pgbouncer is not installed';
if (reason) recordSkip('a pooler that does not pass on prepared statements', reason);

test.skipIf(reason)(
  'a pooler that does not pass on prepared statements is named, with what to set',
  async () => {
    for (const tellsVersion of [false, true]) {
      const { url } = await aTestDatabase({ empty: true });
      const pooler = await startPgBouncer(url, { connections: 4, tellsVersion });
      onTestFinished(pooler.close);
      const migrating = migrateToLatest(openAnother({ url: pooler.url, poolSize: 2 })).then(() => undefined);
      const fault = await migrating.catch((error: Error) => error);
      // From 1.21 on it passes them on, if it is set up for it, as it is by default from 1.24 on.
      if (fault === undefined) continue;
      expect(fault).toBeInstanceOf(SetupFault);
      expect(fault.message).toContain('max_prepared_statements = 100');
      if (tellsVersion) expect(fault.message).toMatch(/; it is PgBouncer \d+\.\d+/);
    }
  },
);

test.skipIf(reason)('what PgBouncer itself refuses is told with what to set', async () => {
  const { url } = await aTestDatabase();
  const pooler = await startPgBouncer(url);
  onTestFinished(pooler.close);
  const other = new URL(pooler.url);
  other.pathname = '/nowhere';
  expect((await faultOf(countUsers(other))).message).toContain('[databases] in pgbouncer.ini');
  const withOptions = new URL(pooler.url);
  withOptions.searchParams.set('options', '-c work_mem=8MB');
  expect((await faultOf(countUsers(withOptions))).message).toContain('ignore_startup_parameters = options');
});
