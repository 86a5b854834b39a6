import { inSteps } from '@gatehouse/extension-kit/postgres';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { aTestDatabase, connectClient } from '../../../testing/open-test-store.ts';
import { type MigrateOptions, runMigrations } from './migrate.ts';
import { CORE_SEQUENCE } from './schema-state.ts';

const index = sql`
  set local maintenance_work_mem = '256MB';
  create index if not exists large_by_kind on large (kind, id)
    where kind > 1;
`;

/** A database with a table of 40 MB, or with few rows, and a migration whose only step builds an index of it. */
async function arrange(rows = 20_000) {
  const { url, database } = await aTestDatabase({ empty: true });
  await sql`
    create table large (id bigint generated always as identity, kind integer not null, filler text not null);
    insert into large (kind, filler) select n % 5, repeat('x', 1900) from generate_series(1, ${sql.lit(rows)}) n`.execute(
    database.queries,
  );
  return {
    database,
    writer: await connectClient(url, { application_name: 'a long import' }),
    migrate: (options: MigrateOptions = {}) =>
      runMigrations(
        database,
        { ...CORE_SEQUENCE, migrations: { '0001-index': { steps: inSteps(index) } } },
        options,
      ),
    async isValid() {
      const found = await sql<{ indisvalid: boolean }>`
        select indisvalid from pg_index where indexrelid = to_regclass('large_by_kind')`.execute(
        database.queries,
      );
      return found.rows[0]?.indisvalid;
    },
  };
}

const WRITE = `insert into large (kind, filler) values (1, 'x')`;

test('while the index of a large table waits for a transaction, it names it, and writes go on', async () => {
  const { database, writer, migrate, isValid } = await arrange();
  await writer.query('begin');
  await writer.query(WRITE);
  const { promise: waiting, resolve } = Promise.withResolvers<string>();
  const migrated = migrate({ onWaiting: resolve });
  expect(await waiting).toMatch(
    /^building the index large_by_kind is waiting for the end of a transaction of .*a long import/,
  );
  await sql.raw(WRITE).execute(database.queries);
  await writer.query('commit');
  expect(await migrated).toEqual(['0001-index']);
  expect(await isValid()).toBe(true);
});

test('an index of a large table that an earlier attempt left unfinished is built again', async () => {
  const { database, migrate, isValid } = await arrange();
  const failing = sql`create unique index concurrently large_by_kind on large (kind)`.execute(
    database.queries,
  );
  await expect(failing).rejects.toThrow();
  expect(await isValid()).toBe(false);
  await migrate();
  expect(await isValid()).toBe(true);
});

test('the index of a small table is built in a transaction, with a limited wait for its lock', async () => {
  const { writer, migrate, isValid } = await arrange(10);
  await writer.query('begin');
  await writer.query(WRITE);
  const { promise: waiting, resolve } = Promise.withResolvers<string>();
  const migrated = migrate({ onWaiting: resolve, pause: async () => void (await writer.query('commit')) });
  expect(await waiting).toContain('0001-index is waiting for a lock');
  expect(await migrated).toEqual(['0001-index']);
  expect(await isValid()).toBe(true);
});
