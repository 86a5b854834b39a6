import { UnavailableFault } from '@gatehouse/domain';
import { anEvent, givenAccount, givenOrganization } from '@gatehouse/domain/testing';
import type { ExtensionDatabase, MigrationConnection } from '@gatehouse/extension-kit/postgres';
import { sql } from 'kysely';
import { expect, test, vi } from 'vitest';
import { aTestDatabase } from '../../testing/open-test-store.ts';
import type { DatabaseOptions } from '../database/database.ts';
import { createExtensionDatabase } from './extension-database.ts';
import { migrateExtension } from './extension-migrations.ts';

interface Tables {
  'work_orders.orders': { id: number; due_on: string | null };
}

const WORK_ORDERS = {
  name: 'work-orders',
  migrations: {
    '0001-init': {
      async up(db: MigrationConnection) {
        await sql`create table work_orders.orders (id bigint, due_on date)`.execute(db);
      },
    },
  },
};

/** An extension in a database of its own. */
async function anExtension({
  migrated = true,
  ...options
}: Partial<DatabaseOptions> & { migrated?: boolean } = {}) {
  const opened = await aTestDatabase(options);
  if (migrated) await migrateExtension(opened.database, WORK_ORDERS);
  const made = createExtensionDatabase(opened.database, WORK_ORDERS);
  // As `definePostgresLayer` gives it to the extension that has these tables.
  const extension = made as unknown as ExtensionDatabase<Tables>;
  return { ...opened, extension };
}

test('statements of an extension hold three connections, and the others stay free', async () => {
  const { database, extension } = await anExtension({ poolSize: 8 });
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  let begun = 0;
  const holding = Array.from({ length: 8 }, () =>
    extension.change(async () => {
      begun += 1;
      await released;
    }),
  );
  try {
    await vi.waitFor(() => expect(begun).toBe(3));
    await sql`select 1`.execute(database.queries);
    expect(begun).toBe(3);
  } finally {
    release();
    await Promise.all(holding);
  }
  expect(begun).toBe(8);
});

test('a statement does not wait for the extension longer than for a connection', async () => {
  const { extension } = await anExtension({ connectTimeoutMs: 300 });
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  const holding = Array.from({ length: 3 }, () => extension.change(() => released));
  await expect(extension.change(async () => 'too late')).rejects.toThrow(UnavailableFault);
  release();
  await Promise.all(holding);
  expect(await extension.change(async () => 'again')).toBe('again');
});

test('until its tables are migrated, and after they were dropped, an extension is unavailable', async () => {
  const { database, extension } = await anExtension({ migrated: false });
  const read = () => extension.queries.selectFrom('work_orders.orders').selectAll().execute();
  await expect(read()).rejects.toThrow('the schema of the extension work-orders is behind');
  await migrateExtension(database, WORK_ORDERS);
  expect(await read()).toEqual([]);
  await sql`drop schema work_orders cascade`.execute(database.queries);
  await expect(read()).rejects.toThrow('does not exist');
  await expect(read()).rejects.toThrow(UnavailableFault);
});

test('a date is read as it was written', async () => {
  const { extension } = await anExtension();
  const order = { id: 1, due_on: '2028-02-29' };
  await extension.queries.insertInto('work_orders.orders').values(order).execute();
  expect(await extension.queries.selectFrom('work_orders.orders').selectAll().execute()).toEqual([order]);
});

test('a change and its event are one step', async () => {
  const { store, extension } = await anExtension();
  const changed = extension.change(async (tx, record) => {
    await record(anEvent({ origin: 'never' }));
    await tx.insertInto('work_orders.orders').values({ id: 1, due_on: null }).execute();
    throw new Error('given up');
  });
  await expect(changed).rejects.toThrow('given up');
  expect(await store.audit.list({ limit: 1 })).toEqual([]);
  await extension.change((_, record) => record(anEvent({ origin: 'done' })));
  expect(await store.audit.list({ limit: 1 })).toMatchObject([{ event: { origin: 'done' } }]);
});

test('what extensions may read of Gatehouse’s tables is there', async () => {
  const { store, extension } = await anExtension();
  const { id, accountId } = await givenOrganization(store, (await givenAccount(store)).id);
  const read = extension.queries.selectFrom('organizations').select(['id', 'account_id']);
  expect(await read.where('id', '=', id).execute()).toEqual([{ id, account_id: accountId }]);
  expect(await extension.queries.selectFrom('users').select(['id', 'account_id']).execute()).toEqual([]);
  expect(await extension.queries.selectFrom('accounts').select('id').execute()).toEqual([{ id: accountId }]);
});
