import { randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import type pg from 'pg';
import { expect, onTestFinished, test } from 'vitest';
import { aTestDatabase, connectClient, openAnother } from '../../../testing/open-test-store.ts';
import type { Database } from '../database.ts';
import { createPostgresStoreProbe } from '../primary/store-probe.ts';

/** A migrated database that its administrator changes before a program connects to it. */
async function arrange(change: (admin: pg.Client, name: string) => Promise<unknown>): Promise<Database> {
  const { url } = await aTestDatabase();
  await change(await connectClient(url), new URL(url).pathname.slice(1));
  return openAnother({ url, poolSize: 1 });
}

/** A role that may create objects where this statement grants it, until the test has finished. */
async function createRole(admin: pg.Client, grant: (role: string) => string): Promise<string> {
  const role = `role_${randomBytes(8).toString('hex')}`;
  await admin.query(`create role ${role} login; grant ${role} to current_user; ${grant(role)}`);
  onTestFinished(async () => void (await admin.query(`drop owned by ${role} cascade; drop role ${role}`)));
  return role;
}

const HIJACKED = `unnest(text[]) returns setof text language sql as $$ select 'hijacked' $$`;

async function readOf(database: Database, transaction: boolean) {
  const read = (queries: Database['queries']) =>
    sql<{ value: string; path: string; isolation: string; time: string; nulls: string[] }>`
      select value, current_setting('search_path') as path, current_setting('transaction_isolation') as isolation,
        current_timestamp::text as time, '{null}'::text[] as nulls
      from unnest(${['value']}::text[]) as value`.execute(queries);
  const { queries } = database;
  const { rows } = transaction ? await queries.transaction().execute(read) : await read(queries);
  return rows[0];
}

test('a function in a schema that another role named after ours is not run', async () => {
  const database = await arrange(async (admin, name) => {
    const role = await createRole(admin, (role) => `grant create on database ${name} to ${role}`);
    await admin.query(
      `do $$ begin execute format('create schema %I authorization ${role}', current_user); end $$`,
    );
    await admin.query(
      `do $do$ begin execute format('create function %I.${HIJACKED.replaceAll("'", "''")}', current_user); end $do$`,
    );
  });
  expect(await readOf(database, false)).toMatchObject({ value: 'value', path: 'public' });
});

test('a schema of another role is passed over, even if our role may use a table of our migrations there', async () => {
  const database = await arrange(async (admin, name) => {
    const role = await createRole(admin, (role) => `grant create on database ${name} to ${role}`);
    await admin.query(`create schema planted authorization ${role};
      create function planted.${HIJACKED}; create table planted.kysely_migration (name text);
      alter table planted.kysely_migration owner to ${role};
      alter database ${name} set search_path = planted, public`);
  });
  expect(await readOf(database, false)).toMatchObject({ value: 'value', path: 'public' });
});

test('nothing is read where two schemas have our tables', async () => {
  const database = await arrange((admin, name) =>
    admin.query(`create schema restored; create table restored.kysely_migration (name text);
      alter database ${name} set search_path = restored, public`),
  );
  await expect(readOf(database, false)).rejects.toThrow('more than one schema');
});

test('tables in a schema of another name are found there, and nothing anywhere else', async () => {
  const database = await arrange(async (admin, name) => {
    await admin.query('alter schema public rename to product; create schema public');
    await admin.query(
      `create function public.${HIJACKED}; alter database ${name} set search_path = product, public`,
    );
  });
  expect(await readOf(database, false)).toMatchObject({ value: 'value', path: 'product' });
});

test.each(['repeatable read', 'serializable'])(
  'transactions and single statements are READ COMMITTED where the default is %s',
  async (level) => {
    const database = await arrange((admin, name) =>
      admin.query(`alter database ${name} set default_transaction_isolation = '${level}'`),
    );
    expect(await readOf(database, false)).toMatchObject({ isolation: 'read committed' });
    expect(await readOf(database, true)).toMatchObject({ isolation: 'read committed' });
    // As after a pooler has given the session to another client.
    await sql`set default_transaction_isolation = ${sql.raw(`'${level}'`)}`.execute(database.queries);
    expect(await readOf(database, true)).toMatchObject({ isolation: 'read committed' });
  },
);

test('times and arrays are written and read in one form', async () => {
  const database = await arrange((admin, name) =>
    admin.query(
      `alter database ${name} set datestyle = 'SQL, DMY'; alter database ${name} set array_nulls = off`,
    ),
  );
  expect(await readOf(database, false)).toMatchObject({
    time: expect.stringMatching(/^\d{4}-\d\d-\d\d /),
    nulls: [null],
  });
});

test('roles that may create objects in the database or the schema are found, no others', async () => {
  const roles: string[] = [];
  const database = await arrange(async (admin, name) => {
    roles.push(await createRole(admin, (role) => `grant create on database ${name} to ${role}`));
    roles.push(await createRole(admin, (role) => `grant create on schema public to ${role}`));
    const group = await createRole(
      admin,
      (role) => `alter role ${role} nologin; grant create on schema public to ${role}`,
    );
    roles.push(await createRole(admin, (role) => `alter role ${role} noinherit; grant ${group} to ${role}`));
    await createRole(admin, (role) => `grant connect, temporary on database ${name} to ${role}`);
  });
  const found = await createPostgresStoreProbe(database).objectCreation();
  expect(found).toEqual({
    database: expect.any(String),
    schema: 'public',
    ownRole: expect.any(String),
    otherRoles: roles.toSorted(),
  });
});

test('an ordinary role that owns the schema is found, as it can grant itself the right', async () => {
  let role = '';
  const database = await arrange(async (admin) => {
    role = await createRole(
      admin,
      (name) => `alter schema public owner to ${name}; revoke create on schema public from ${name}`,
    );
    onTestFinished(async () => void (await admin.query('alter schema public owner to pg_database_owner')));
  });
  const found = await createPostgresStoreProbe(database).objectCreation();
  expect(found).toMatchObject({ otherRoles: [role], foreignOwner: role });
});

test('what another role created in the schema is found, and each function that statements could call', async () => {
  const database = await arrange(async (admin, name) => {
    const role = await createRole(admin, (each) => `grant create, usage on schema public to ${each}`);
    await admin.query(`set role ${role}; create function public.${HIJACKED}; create table public.planted ();
      create function public.same(text, text) returns boolean language sql as 'select true';
      create operator public.=== (function = public.same, leftarg = text, rightarg = text);
      reset role; revoke create on schema public from ${role};
      create domain public.restored as text;
      create schema elsewhere; grant create on schema elsewhere to ${role}; set role ${role};
      create function elsewhere.${HIJACKED}; reset role; grant connect on database ${name} to ${role}`);
  });
  const found = await createPostgresStoreProbe(database).unexpectedObjects();
  expect(found).toEqual({
    schema: 'public',
    objects: [
      'function public.same(pg_catalog.text,pg_catalog.text)',
      'function public.unnest(pg_catalog.text[])',
      'operator public.===(pg_catalog.text,pg_catalog.text)',
      'table public.planted',
      'type public.restored',
    ],
  });
});

test('nothing else is found in the schema of our migrations, with an extension and objects of a superuser', async () => {
  const database = await arrange((admin) =>
    admin.query('create extension if not exists pgcrypto schema public'),
  );
  expect(await createPostgresStoreProbe(database).unexpectedObjects()).toBeUndefined();
});

test('statements are not compiled, however low the costs of that are set', async () => {
  const database = await arrange((admin, name) =>
    admin.query(`alter database ${name} set jit = on; alter database ${name} set jit_above_cost = 0`),
  );
  const { rows } = await sql<{ jit: string }>`select current_setting('jit') as jit`.execute(database.queries);
  expect(rows).toEqual([{ jit: 'off' }]);
});
