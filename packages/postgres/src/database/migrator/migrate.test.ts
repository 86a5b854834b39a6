import { readdir } from 'node:fs/promises';
import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { aTestDatabase } from '../../../testing/open-test-store.ts';
import * as migrations from '../../migrations/index.ts';
import { migrateToLatest } from './migrate.ts';
import { schemaState } from './schema-state.ts';

const openEmptyDatabase = async () => (await aTestDatabase({ empty: true })).database;

const ALL = Object.keys(migrations);

describe('migrations', () => {
  test('bring an empty database to the latest schema, and then have nothing to do', async () => {
    const database = await openEmptyDatabase();
    expect(await schemaState(database)).toBe('behind');
    expect(await migrateToLatest(database)).toEqual(ALL);
    expect(await schemaState(database)).toBe('current');
    expect(await migrateToLatest(database)).toEqual([]);
  });

  test('are run once by concurrent calls', async () => {
    const database = await openEmptyDatabase();
    const runs = await Promise.all(Array.from({ length: 6 }, () => migrateToLatest(database)));
    expect(runs.flat()).toEqual(ALL);
    expect(await schemaState(database)).toBe('current');
  });

  test('leave nothing behind when one of them fails', async () => {
    const database = await openEmptyDatabase();
    // In the way of a table in the middle of the first migration.
    await sql`create table tokens ()`.execute(database.queries);
    await expect(migrateToLatest(database)).rejects.toThrow('already exists');
    const tables = await sql`select to_regclass('accounts') as accounts`.execute(database.queries);
    expect(tables.rows).toEqual([{ accounts: null }]);
    expect(await schemaState(database)).toBe('behind');
  });

  test('of a newer version are detected, and nothing is done', async () => {
    const database = await openEmptyDatabase();
    await migrateToLatest(database);
    await sql`insert into kysely_migration values ('9999-later', '2099-01-01T00:00:00.000Z')`.execute(
      database.queries,
    );
    expect(await schemaState(database)).toBe('ahead');
    await expect(migrateToLatest(database)).rejects.toThrow('9999-later');
  });

  test('are listed as they are in their folder, in order', async () => {
    const files = await readdir(new URL('../../migrations', import.meta.url));
    const names = files.filter((file) => file !== 'index.ts').map((file) => file.replace(/\.ts$/, ''));
    expect(ALL).toEqual(names.toSorted());
    for (const name of names) expect(name).toMatch(/^\d{4}-[a-z0-9-]+$/);
  });
});
