import { type AnyMigration, inSteps } from '@gatehouse/extension-kit/postgres';
import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';
import { describe, expect, test } from 'vitest';
import { aTestDatabase, connectClient } from '../../../testing/open-test-store.ts';
import * as migrations from '../../migrations/index.ts';
import type { Database } from '../database.ts';
import { type MigrateOptions, runMigrations } from './migrate.ts';
import { CORE_SEQUENCE } from './schema-state.ts';

const APPLICATION = 'a long report';
/** Needs `tokens` for itself alone. */
const CHANGE: Migration = { up: (db) => sql`alter table tokens add column colour text`.execute(db).then() };
/** The same without a limited wait for the lock. */
const UNLIMITED_CHANGE: Migration = {
  async up(db) {
    await sql`set local lock_timeout = 0`.execute(db);
    await CHANGE.up(db);
  },
};
const READERS = 4;
const noPause = async () => undefined;

/** For every transaction that begins on a new connection. */
async function limitLockWaits({ queries }: Database): Promise<void> {
  await sql`do $$ begin
    execute format('alter database %I set lock_timeout = 50', current_database()); end $$`.execute(queries);
}

async function arrange() {
  const { url, database } = await aTestDatabase();
  const holder = await connectClient(url, { application_name: APPLICATION });
  return {
    database,
    holder,
    migrateTo: (change: AnyMigration, options: MigrateOptions = {}) =>
      runMigrations(
        database,
        { ...CORE_SEQUENCE, migrations: { ...migrations, '9000-change': change } },
        options,
      ),
    async hasColumn() {
      const { rows } = await sql`select from pg_attribute where attrelid = 'tokens'::regclass
        and attname = 'colour'`.execute(database.queries);
      return rows.length === 1;
    },
    /** Begins a transaction that has read `tokens`. Answers with its process. */
    async readForLong() {
      await holder.query('begin');
      const { rows } = await holder.query('select pg_backend_pid() as pid, count(*) from tokens');
      return rows[0].pid as number;
    },
    /** Reads `tokens` all the time, and measures each read in milliseconds, those under way included. */
    startReaders() {
      let longestMs = 0;
      let stopped = false;
      const underWay = new Set<number>();
      const longest = () => Math.max(longestMs, ...[...underWay].map((start) => performance.now() - start));
      const readers = Array.from({ length: READERS }, async () => {
        while (!stopped) {
          const start = performance.now();
          underWay.add(start);
          await sql`select from tokens limit 1`.execute(database.queries);
          longestMs = longest();
          underWay.delete(start);
        }
      });
      const stop = async () => {
        stopped = true;
        await Promise.all(readers);
        return longestMs;
      };
      return { longest, stop };
    },
  };
}

describe('a migration that needs a lock which another transaction holds', () => {
  test('delays no read by a second, reports what it waits for, and is finally applied', async () => {
    const { holder, migrateTo, hasColumn, readForLong, startReaders } = await arrange();
    const pid = await readForLong();
    const readers = startReaders();
    const said: string[] = [];
    const released = Promise.withResolvers<void>();
    const migrating = migrateTo(CHANGE, {
      onWaiting(text) {
        said.push(text);
        if (said.length === 3) released.resolve(holder.query('rollback').then());
      },
    });
    await released.promise;
    expect(await migrating).toEqual(['9000-change']);
    expect(await readers.stop()).toBeLessThan(1000);
    expect(await hasColumn()).toBe(true);
    const age = String.raw`in a transaction for \d+ s`;
    expect(said).toEqual(
      [2, 3, 4].map((tries) =>
        expect.stringMatching(
          `^the migration 9000-change is waiting for a lock held by process ${pid} \\("${APPLICATION}", ${age}\\); trying again \\(${tries} of 10\\)$`,
        ),
      ),
    );
  });

  test('delays reads, and is detected, if its wait has no limit', async () => {
    const { holder, migrateTo, readForLong, startReaders } = await arrange();
    await readForLong();
    const readers = startReaders();
    const migrating = migrateTo(UNLIMITED_CHANGE);
    await expect.poll(readers.longest, { timeout: 30_000 }).toBeGreaterThan(1000);
    await holder.query('rollback');
    await migrating;
    await readers.stop();
  });

  test('fails after ten attempts, names the transaction, and leaves nothing behind', async () => {
    const { migrateTo, hasColumn, readForLong } = await arrange();
    const pid = await readForLong();
    const said: string[] = [];
    const migrating = migrateTo(CHANGE, { pause: noPause, onWaiting: (text) => void said.push(text) });
    await expect(migrating).rejects.toMatchObject({
      name: 'UnavailableFault',
      message: expect.stringMatching(
        `^the migration 9000-change was not applied, because after 10 tries a lock that it needs is still held by process ${pid} .*: end that transaction or wait for its end, and migrate again$`,
      ),
    });
    expect(said).toHaveLength(9);
    expect(await hasColumn()).toBe(false);
  });

  test('holds nothing off that is not in its way', async () => {
    const { holder, migrateTo, readForLong } = await arrange();
    await holder.query('create temp table summary as select 1 as n');
    await readForLong();
    await holder.query('analyze summary');
    await expect(migrateTo(CHANGE, { pause: noPause })).rejects.toMatchObject({
      name: 'UnavailableFault',
      message: expect.not.stringContaining('summary'),
    });
  });

  test('holds a vacuum off for one step, and not for those after it', async () => {
    const { holder, migrateTo } = await arrange();
    const vacuum = () => holder.query('begin; lock table tokens in share update exclusive mode');
    await vacuum();
    const said: string[] = [];
    const steps = inSteps(
      sql`lock table tokens in share row exclusive mode`,
      async () => {
        await vacuum();
        return undefined;
      },
      sql`lock table accounts in share row exclusive mode`,
    );
    const applied = await migrateTo(
      { steps },
      {
        pause: async () => void (await holder.query('rollback')),
        onWaiting: (text) => void said.push(text),
      },
    );
    expect(applied).toEqual(['9000-change']);
    expect(said).toEqual([expect.stringContaining('vacuums, analyzes or indexes tokens')]);
  });

  test('ends if the migration lock is lost meanwhile, and applies nothing', async () => {
    const { database, holder, migrateTo, hasColumn, readForLong } = await arrange();
    await readForLong();
    const loseLock = async () => {
      await sql`select pg_terminate_backend(pid, 30000) from pg_locks where locktype = 'advisory' and granted
        and database = (select oid from pg_database where datname = current_database())`.execute(
        database.queries,
      );
      await holder.query('rollback');
    };
    await expect(migrateTo(CHANGE, { pause: loseLock })).rejects.toMatchObject({
      name: 'UnavailableFault',
      message: expect.stringContaining('the database does not answer'),
    });
    expect(await hasColumn()).toBe(false);
  });

  test('keeps the migrations applied before it, and only it is retried', async () => {
    const { database, holder, readForLong } = await arrange();
    await readForLong();
    let runs = 0;
    const first: Migration = {
      async up(db) {
        runs += 1;
        await sql`create table colours ()`.execute(db);
      },
    };
    const applied: string[] = [];
    const all = { ...migrations, '9000-first': first, '9001-change': CHANGE };
    const options: MigrateOptions = {
      pause: noPause,
      onApplied: (name) => void applied.push(name),
      onWaiting() {
        expect(applied).toEqual(['9000-first']);
        holder.query('rollback').catch(() => undefined);
      },
    };
    await runMigrations(database, { ...CORE_SEQUENCE, migrations: all }, options);
    expect(applied).toEqual(['9000-first', '9001-change']);
    expect(runs).toBe(1);
  });

  test('does not end the wait of another migration, whatever the database’s limit for locks', async () => {
    const { database, holder, migrateTo, readForLong } = await arrange();
    await limitLockWaits(database);
    await readForLong();
    const begun = Promise.withResolvers<void>();
    let tries = 0;
    const onWaiting = () => {
      tries += 1;
      if (tries === 1) begun.resolve();
      if (tries === 4) holder.query('rollback').catch(() => undefined);
    };
    const one = migrateTo(CHANGE, { onWaiting });
    await begun.promise;
    const said: string[] = [];
    const other = migrateTo(CHANGE, { onWaiting: (text) => void said.push(text) });
    expect([await one, await other]).toEqual([['9000-change'], []]);
    for (const text of said) expect(text).toMatch(/^waiting for the migration lock held by process \d+ /);
  });

  test('fails if the table of migrations is locked, and does not treat them as applied', async () => {
    const { database, holder, migrateTo } = await arrange();
    await limitLockWaits(database);
    await holder.query('begin; lock table kysely_migration');
    await expect(migrateTo(CHANGE)).rejects.toMatchObject({
      name: 'UnavailableFault',
      message: expect.stringContaining('lock timeout'),
    });
    await holder.query('rollback');
    expect(await migrateTo(CHANGE)).toEqual(['9000-change']);
  });
});

test('migrations are serialized by one lock, which belongs to a transaction and not to a session', async () => {
  const { migrateTo } = await arrange();
  const locks: unknown[] = [];
  await migrateTo({
    async up(db) {
      const { rows } = await sql`
        select pid = pg_backend_pid() as own from pg_locks where locktype = 'advisory'
        and database = (select oid from pg_database where datname = current_database())`.execute(db);
      locks.push(...rows);
    },
  });
  expect(locks).toEqual([{ own: false }]);
});
