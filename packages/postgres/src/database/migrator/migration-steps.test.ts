import { randomUUID } from 'node:crypto';
import {
  type AnyMigration,
  inSteps,
  type MigrationConnection,
  type SteppedMigration,
} from '@gatehouse/extension-kit/postgres';
import { sql } from 'kysely';
import { beforeAll, describe, expect, test } from 'vitest';
import { aTestDatabase, connectClient, openTestDatabase } from '../../../testing/open-test-store.ts';
import * as migrations from '../../migrations/index.ts';
import type { Database } from '../database.ts';
import { runMigrations } from './migrate.ts';
import { CORE_SEQUENCE } from './schema-state.ts';

const noPause = async () => undefined;
/** The first four migrations, as they were released. */
const RELEASED = Object.entries(migrations).slice(0, 4);
const LATER = Object.entries(migrations).slice(4);
/**
 * The tables whose reads a migration excludes for a moment, to add columns that each request needs. Only the catalog
 * changes, so the lock is released at once.
 */
const EXCLUDED: Readonly<Record<string, readonly string[]>> = {
  '0030-token-networks': ['tokens'],
  '0031-service-accounts': ['users'],
  '0032-confirmed-persons': ['users'],
  '0034-second-factors': ['accounts', 'users'],
};

type Named = readonly [string, AnyMigration];

const migrateWith = (database: Database, ...more: readonly Named[]) =>
  runMigrations(
    database,
    { ...CORE_SEQUENCE, migrations: Object.fromEntries([...RELEASED, ...more]) },
    { pause: noPause },
  );

async function arrange() {
  const { database, url } = await aTestDatabase({ empty: true });
  const migrate = (...more: readonly Named[]) => migrateWith(database, ...more);
  await migrate();
  return { database, url, migrate };
}

/** Stores 5,000 tokens on several days, before and after midnight; one in ten is a sign-in. */
async function givenTokens({ queries }: Database): Promise<void> {
  await sql`
    insert into accounts (name, created_at) values ('Acme', now());
    insert into users (account_id, email, email_key, name, role, password_hash, created_at)
      values (1, 'ada@acme.example', 'ada@acme.example', 'Ada', 'admin', 'x', now());
    insert into signing_keys (id, format, state, public_key, sealed_secret, created_at)
      values ('key', 'paseto', 'staged', decode(repeat('07', 32), 'hex'), 'x', now());
    insert into tokens (id, account_id, user_id, subject, kind, name, format, key_id, scopes, created_at, expires_at)
      select gen_random_uuid(), 1, 1, 1, case when n % 10 = 0 then 'sign-in' else 'api' end, 'Token', 'paseto', 'key',
        array['*'], timestamptz '2026-01-01T00:00:00Z' + n * interval '11 hours', now()
      from generate_series(1, 5000) n`.execute(queries);
}

/** Does this at the end of each transaction of the migration, before it is committed. */
function followedBy(migration: AnyMigration, then: (transaction: MigrationConnection) => Promise<unknown>) {
  if ('steps' in migration) {
    const steps: SteppedMigration['steps'] = migration.steps.map((step) => async (transaction, position) => {
      const next = await step(transaction, position);
      await then(transaction);
      return next;
    });
    return { steps };
  }
  return {
    async up(transaction: MigrationConnection) {
      await migration.up(transaction);
      await then(transaction);
    },
  };
}

describe('a migration of a later version', () => {
  let transactions: { readonly name: string; readonly excluded: readonly string[] }[];
  beforeAll(async () => {
    const { database, close } = await openTestDatabase({ empty: true });
    const noteLocks = async (name: string, transaction: MigrationConnection) => {
      const { rows } = await sql<{ table: string }>`
        select relation::regclass::text as table from pg_locks
        where pid = pg_backend_pid() and mode = 'AccessExclusiveLock' and relation = any(array[
          'accounts', 'users', 'tokens', 'signing_keys', 'organizations', 'memberships']::regclass[])
        order by 1`.execute(transaction);
      transactions.push({ name, excluded: rows.map(({ table }) => table) });
    };
    transactions = [];
    const noted = LATER.map(
      ([name, migration]) =>
        [name, followedBy(migration, (transaction) => noteLocks(name, transaction))] as const,
    );
    await migrateWith(database, ...noted);
    await close();
  });

  test.each(LATER.map(([name]) => name))('%s excludes no read of what requests read', (name) => {
    const own = transactions.filter((each) => each.name === name);
    expect(own.length).toBeGreaterThan(0);
    expect(own.flatMap(({ excluded }) => excluded)).toEqual(EXCLUDED[name] ?? []);
  });
});

describe('a migration in steps', () => {
  test('commits each of them, and is run again from the first one if a step fails', async () => {
    const { database, migrate } = await arrange();
    const ran: string[] = [];
    const exists = async () => {
      const { rows } = await sql`select to_regclass('one') is not null as one`.execute(database.queries);
      return rows;
    };
    const [fault, positions] = [new Error('the second step'), ['1', '2', undefined]];
    let fail = true;
    const steps = inSteps(sql`create table if not exists one ()`, async (_, position) => {
      ran.push(String(position));
      expect(await exists()).toEqual([{ one: true }]);
      if (fail) throw fault;
      return positions.shift();
    });
    await expect(migrate(['9000-steps', { steps }])).rejects.toBe(fault);
    fail = false;
    expect(await migrate(['9000-steps', { steps }])).toEqual(['9000-steps']);
    expect(ran).toEqual(['undefined', 'undefined', '1', '2']);
    expect(await migrate(['9000-steps', { steps }])).toEqual([]);
  });

  test('goes on with the step that got no lock', async () => {
    const { migrate, url } = await arrange();
    const holder = await connectClient(url);
    await holder.query('begin; lock table accounts');
    const [ran, positions]: [string[], (string | undefined)[]] = [[], ['1', undefined]];
    const note = async (_: MigrationConnection, position?: string) => {
      ran.push(`copy after ${position}`);
      return positions.shift();
    };
    const locked = async (transaction: MigrationConnection) => {
      ran.push('lock');
      await sql`lock table accounts in row exclusive mode`.execute(transaction).catch(async (error) => {
        await holder.query('rollback');
        throw error;
      });
      return undefined;
    };
    expect(await migrate(['9000-steps', { steps: inSteps(note, locked) }])).toEqual(['9000-steps']);
    expect(ran).toEqual(['copy after undefined', 'copy after 1', 'lock', 'lock']);
  });

  test('limits the wait for a lock in each of them', async () => {
    const { migrate } = await arrange();
    const limits: unknown[] = [];
    const note = async (transaction: MigrationConnection) => {
      limits.push(...(await sql`show lock_timeout`.execute(transaction)).rows);
      return undefined;
    };
    await migrate(['9000-steps', { steps: inSteps(note, note) }]);
    expect(limits).toEqual([{ lock_timeout: '200ms' }, { lock_timeout: '200ms' }]);
  });

  test('gives usage to all API tokens that were there before, however many, and twice changes nothing', async () => {
    const { database, migrate } = await arrange();
    const { queries } = database;
    await givenTokens(database);
    await sql`
      insert into token_usage (token_id, last_used_at, last_refused_at, last_refused_reason)
        select id, now(), now() + interval '1 second', 'expired' from tokens where id > gen_random_uuid()`.execute(
      queries,
    );
    const stored = async () => {
      const { rows } = await sql`
        select token_id, usage.account_id, refused_since_use, last_used_at, kind from token_usage as usage
        join tokens on id = token_id order by token_id`.execute(queries);
      return rows as Record<string, unknown>[];
    };
    // Up to the one that is run twice.
    const some = LATER.filter(([name]) => name <= '0008-token-lists');
    await migrate(...some);
    const rows = await stored();
    const ofTokens = rows.filter(({ kind }) => kind === 'api');
    expect(ofTokens).toHaveLength(4500);
    for (const { kind, account_id: accountId, refused_since_use: refused, last_used_at: used } of rows) {
      expect(accountId).toBe(kind === 'api' ? 1 : null);
      expect(refused).toBe(used !== null);
    }
    await sql`delete from kysely_migration where name = '0008-token-lists'`.execute(queries);
    expect(await migrate(...some)).toEqual(['0008-token-lists']);
    expect(await stored()).toEqual(rows);
  });

  test('keeps the day on which each API token was created, of those that were there before and of new ones', async () => {
    const { database, migrate } = await arrange();
    const days = async () => {
      const { rows } = await sql<{ days: number; wrong: number }>`
        select count(created_on) as days, count(*) filter (where created_on is distinct from
          case kind when 'api' then (created_at at time zone 'UTC')::date end) as wrong
        from token_usage right join tokens on id = token_id`.execute(database.queries);
      return rows[0];
    };
    const some = LATER.filter(([name]) => name < '0012');
    const upToDays = LATER.filter(([name]) => name < '0013');
    await migrate(...some);
    await givenTokens(database);
    await migrate(...upToDays);
    expect(await days()).toEqual({ days: 4500, wrong: 0 });
    await sql`
      set time zone 'Asia/Tokyo';
      insert into tokens select gen_random_uuid(), account_id, user_id, subject, kind, name, format, key_id, scopes,
        created_at, expires_at from tokens;
      set time zone default;
      delete from kysely_migration where name = '0012-idle-tokens'`.execute(database.queries);
    expect(await days()).toEqual({ days: 9000, wrong: 0 });
    expect(await migrate(...upToDays)).toEqual(['0012-idle-tokens']);
    expect(await days()).toEqual({ days: 9000, wrong: 0 });
  });

  test('makes the API tokens due that may be accepted, and their addresses known, however many', async () => {
    const { database, migrate } = await arrange();
    const { queries } = database;
    await migrate(...LATER.filter(([name]) => name < '0038'));
    await givenTokens(database);
    await sql`update tokens set revoked_at = now(), revoked_by = '{}' where key_id = 'key' and user_id = 1
      and id in (select id from tokens where kind = 'api' order by id limit 100)`.execute(queries);
    await sql`update tokens set expires_at = now() - interval '31 days'
      where id in (select id from tokens where kind = 'api' order by id offset 100 limit 100)`.execute(
      queries,
    );
    const watched = async () => {
      const { rows } = await sql`
        select count(*) as count, count(*) filter (where look_at <= now() and newest_address_at <= now()) as due,
          (select count(*) from watched_changes) as changes from token_watches`.execute(queries);
      return rows[0];
    };
    const all = LATER.filter(([name]) => name < '0039');
    await migrate(...all);
    expect(await watched()).toEqual({ count: 4300, due: 4300, changes: 0 });
    // A server of the version before inserts a token, and an address.
    await sql`
      insert into tokens select gen_random_uuid(), account_id, user_id, subject, kind, name, format, key_id, scopes,
        created_at, expires_at from tokens where kind = 'api' limit 1`.execute(queries);
    await sql`
      insert into token_addresses (token_id, used, refused) select id,
        '[{"address": "192.0.2.7", "first": 1, "last": 1, "times": 1}]', '[]' from tokens
      where kind = 'api' or id = (select id from tokens where kind = 'sign-in' limit 1)
      order by kind desc limit 2`.execute(queries);
    expect(await watched()).toEqual({ count: 4300, due: 4300, changes: 2 });
    await sql`delete from kysely_migration where name = '0038-time-events'`.execute(queries);
    expect(await migrate(...all)).toEqual(['0038-time-events']);
    expect(await watched()).toMatchObject({ changes: 2 });
  });
});

test('whether a token was refused since its last use is kept by the database', async () => {
  const { database, migrate } = await arrange();
  await migrate(...LATER);
  const { queries } = database;
  await sql`alter table token_usage drop constraint token_usage_token_id_fkey`.execute(queries);
  const id = randomUUID();
  const refusedAfter = async (used: string | null, refused: string | null) => {
    const { rows } = await sql<{ refused_since_use: boolean }>`
      insert into token_usage (token_id, last_used_at, last_refused_at, last_refused_reason)
      values (${id}, ${used}, ${refused}, ${refused && 'expired'})
      on conflict (token_id) do update set last_used_at = excluded.last_used_at,
        last_refused_at = excluded.last_refused_at, last_refused_reason = excluded.last_refused_reason
      returning refused_since_use`.execute(queries);
    return rows[0]?.refused_since_use;
  };
  const [early, late] = ['2026-01-01T00:00:00Z', '2026-01-02T00:00:00Z'];
  expect(await refusedAfter(null, early)).toBe(true);
  expect(await refusedAfter(late, early)).toBe(false);
  // One request, which was not allowed.
  expect(await refusedAfter(late, late)).toBe(true);
  expect(await refusedAfter(early, late)).toBe(true);
  expect(await refusedAfter(early, null)).toBe(false);
});
