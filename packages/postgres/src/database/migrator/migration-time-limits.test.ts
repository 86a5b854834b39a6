import { type AnyMigration, inSteps } from '@gatehouse/extension-kit/postgres';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { aTestDatabase, connectClient, openAnother } from '../../../testing/open-test-store.ts';
import { runMigrations } from './migrate.ts';
import { CORE_SEQUENCE } from './schema-state.ts';

/** In milliseconds; every migration here takes longer. */
const LIMIT = 100;
const SLOW = sql`select pg_sleep(0.3)`;

/** An empty database whose sessions end everything that takes long, as a role of a hosted PostgreSQL may have it. */
async function arrange() {
  const { url } = await aTestDatabase({ empty: true });
  const admin = await connectClient(url);
  const { rows } = await admin.query(
    `select name from pg_settings where name ~ '_timeout$' and context = 'user' and unit = 'ms'`,
  );
  const names = rows.map(({ name }) => name as string);
  const { pathname } = new URL(url);
  for (const name of names) {
    await admin.query(`alter database ${pathname.slice(1)} set ${name} = ${LIMIT}`);
  }
  return {
    admin,
    names,
    migrate: (migration: AnyMigration) =>
      runMigrations(
        openAnother({ url, poolSize: 2 }),
        { ...CORE_SEQUENCE, migrations: { '0001-slow': migration } },
        {},
      ),
  };
}

test('time limits of the database end no migration, no step and no wait for the migration lock', async () => {
  const { admin, names, migrate } = await arrange();
  expect(names).toEqual(
    expect.arrayContaining([
      'idle_in_transaction_session_timeout',
      'idle_session_timeout',
      'lock_timeout',
      'statement_timeout',
    ]),
  );
  await admin.query('select pg_advisory_lock(7283305127)');
  const waiting = migrate({ up: (db) => SLOW.execute(db).then() });
  await admin.query('select pg_sleep(0.5)');
  await admin.query('select pg_advisory_unlock(7283305127)');
  expect(await waiting).toEqual(['0001-slow']);
  await admin.query('drop table kysely_migration');
  expect(await migrate({ steps: inSteps(SLOW, SLOW) })).toEqual(['0001-slow']);
});

test('nor the build of an index beside writes', async () => {
  const { admin, migrate } = await arrange();
  await admin.query(`set statement_timeout = 0`);
  await admin.query(`
    create table large as select n as id, repeat('x', 1900) as filler from generate_series(1, 20000) n`);
  await admin.query(`
    create function slowly(bigint) returns bigint language plpgsql immutable as
    $$ begin if $1 = 1 then perform pg_sleep(0.3); end if; return $1; end $$`);
  const index = sql`create index if not exists large_by_id on large (slowly(id))`;
  expect(await migrate({ steps: inSteps(index) })).toEqual(['0001-slow']);
});
