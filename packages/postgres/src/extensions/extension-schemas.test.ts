import { givenAccount, givenOrganization } from '@gatehouse/domain/testing';
import { extensionSchemasContract } from '@gatehouse/domain/testing/contracts';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { aTestDatabase, openTestDatabase } from '../../testing/open-test-store.ts';
import { MIGRATION_LOCK } from '../database/migrator/migrate.ts';
import { whileLocked } from '../database/migrator/while-locked.ts';
import { ForeignSchema, migrateExtension, type StoredExtension } from './extension-migrations.ts';
import { createPostgresExtensionSchemas } from './extension-schemas.ts';

const WORK_ORDERS: StoredExtension = {
  name: 'work-orders',
  migrations: {
    '0001-init': {
      async up(db) {
        await sql`
          create table work_orders.orders (id bigint generated always as identity, organization_id bigint);
          create table work_orders.parts (id bigint)`.execute(db);
      },
    },
  },
  belongings: [
    {
      table: 'work_orders.orders',
      belongsTo: 'organization',
      column: 'organization_id',
      one: 'work order',
      several: 'work orders',
    },
  ],
};
const NEVER_MIGRATED: StoredExtension = {
  ...WORK_ORDERS,
  name: 'never-migrated',
  belongings: [{ ...WORK_ORDERS.belongings[0], table: 'never_migrated.orders' } as never],
};
const load = async () => [WORK_ORDERS, NEVER_MIGRATED];

extensionSchemasContract('PostgreSQL', async () => {
  const { database, store, close } = await openTestDatabase();
  const { id: organizationId, accountId } = await givenOrganization(store, (await givenAccount(store)).id);
  await migrateExtension(database, WORK_ORDERS);
  await sql`
    insert into work_orders.orders (organization_id)
    values (${organizationId}), (${organizationId}), (999999999)`.execute(database.queries);
  const schemas = createPostgresExtensionSchemas(database, load);
  return { schemas, audit: store.audit, organizationId, accountId, close };
});

test('a schema of other tables is neither taken nor dropped', async () => {
  const { database } = await aTestDatabase();
  await sql`create schema work_orders; create table work_orders.mine (id bigint)`.execute(database.queries);
  await expect(migrateExtension(database, WORK_ORDERS)).rejects.toThrow(ForeignSchema);
  const dropped = createPostgresExtensionSchemas(database, load).drop('work-orders', () => {
    throw new Error('nothing is dropped');
  });
  expect(await dropped).toMatchObject({ ok: false, error: { code: 'extension_schema_not_found' } });
});

test('an empty schema that was made beforehand is taken', async () => {
  const { database } = await aTestDatabase();
  await sql`create schema work_orders`.execute(database.queries);
  expect(await migrateExtension(database, WORK_ORDERS)).toEqual({
    applied: ['work-orders 0001-init'],
    isNew: true,
  });
  expect(await migrateExtension(database, WORK_ORDERS)).toEqual({ applied: [], isNew: false });
});

test('an extension that is up to date does not wait for a migration of others', async () => {
  const { database } = await aTestDatabase();
  await migrateExtension(database, WORK_ORDERS);
  const migrating = whileLocked(database, MIGRATION_LOCK, () => migrateExtension(database, WORK_ORDERS));
  expect(await migrating).toEqual({ applied: [], isNew: false });
});

test('a migration that fails leaves nothing of itself, and what was applied before', async () => {
  const { database } = await aTestDatabase();
  const broken: StoredExtension = {
    ...WORK_ORDERS,
    migrations: {
      ...WORK_ORDERS.migrations,
      '0002-broken': {
        async up(db) {
          await sql`create table work_orders.half (id bigint)`.execute(db);
          await sql`create table work_orders.orders (id bigint)`.execute(db);
        },
      },
    },
  };
  await expect(migrateExtension(database, broken)).rejects.toThrow('already exists');
  const schemas = createPostgresExtensionSchemas(database, async () => [broken]);
  expect(await schemas.states()).toEqual([{ name: 'work-orders', state: 'behind' }]);
  expect(await schemas.findTables('work-orders')).toMatchObject({
    value: [
      { table: 'orders', rows: 0 },
      { table: 'parts', rows: 0 },
    ],
  });
});
