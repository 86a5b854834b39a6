import { BUILT_IN, createCatalog } from '@gatehouse/domain/resources';
import { createService } from '@gatehouse/domain/services';
import { createFixedClock, OPERATOR, START } from '@gatehouse/domain/testing';
import type { Extension } from '@gatehouse/extension-kit';
import { type AnyMigration, definePostgresLayer, sql } from '@gatehouse/extension-kit/postgres';
import {
  createPostgresExtensionSchemas,
  createPostgresRepositories,
  type Database,
  openDatabase,
  schemaState,
} from '@gatehouse/postgres';
import { createTestDatabase, type TestSchema } from '@gatehouse/test-database';
import { expect, onTestFinished, test, vi } from 'vitest';
import { loadStoredExtensions } from './extension-use-cases.ts';
import { migrateExtensions, migrateInstallation } from './migrate-installation.ts';
import { migrateExtensionsIfEmbedded, type OpenDatabase } from './open-database.ts';

function anExtension(name: string, statement: string): Extension {
  const init: AnyMigration = { up: async (db) => void (await sql.raw(statement).execute(db)) };
  const layer = definePostgresLayer({
    migrations: { '0001-init': init },
    belongings: [],
    createStore: () => undefined,
  });
  const domain = async () => ({ createUseCases: () => undefined });
  return { name, rules: [], domain, postgres: async () => layer } as never;
}

const GOOD = anExtension('good', 'create table good.things (id bigint)');
const BROKEN = anExtension('broken', 'create table broken.things (id bigint); select 1 / 0');
const LATER = anExtension('later', 'create table later.things (id bigint)');

/** Gatehouse without extensions. */
const WITHOUT_EXTENSIONS: TestSchema = {
  name: 'without_extensions',
  async migrate(url) {
    const database = openDatabase({ url, poolSize: 1 });
    await migrateInstallation(database, []);
    await database.close();
  },
};

/** @param schema none, for an empty one */
async function aDatabase(schema?: TestSchema) {
  const { url, drop } = await createTestDatabase(schema);
  const database = openDatabase({ url, poolSize: 2 });
  onTestFinished(async () => {
    await database.close();
    await drop();
  });
  return database;
}

test('each extension is migrated after Gatehouse; one that fails is named, and keeps no other', async () => {
  const database = await aDatabase();
  const extensions = [GOOD, BROKEN, LATER];
  const named: string[] = [];
  const report = await migrateInstallation(database, extensions, {
    onApplied: (name) => void named.push(name),
  });
  expect(report.failed).toMatchObject([{ name: 'broken', error: { message: 'division by zero' } }]);
  expect(report.installed).toEqual(['good', 'later']);
  expect(report.applied).toEqual(named);
  expect(named[0]).toBe('0001-init');
  expect(named.slice(-2)).toEqual(['good 0001-init', 'later 0001-init']);
  expect(await schemaState(database)).toBe('current');
  const schemas = createPostgresExtensionSchemas(database, () => loadStoredExtensions(extensions));
  expect(await schemas.states()).toEqual([
    { name: 'good', state: 'current' },
    { name: 'broken', state: 'behind' },
    { name: 'later', state: 'current' },
  ]);
  expect(await schemas.findTables('broken')).toMatchObject({ value: [] });
});

test('a second migration does nothing, and installs nothing', async () => {
  const database = await aDatabase(WITHOUT_EXTENSIONS);
  await migrateInstallation(database, [GOOD]);
  expect(await migrateInstallation(database, [GOOD])).toEqual({ applied: [], failed: [], installed: [] });
});

test('extensions that are current cost two statements together, and no connection of their own', async () => {
  const database = await aDatabase(WITHOUT_EXTENSIONS);
  const many = Array.from({ length: 5 }, (_, index) =>
    anExtension(`many-${index}`, `create table many_${index}.things (id bigint)`),
  );
  await migrateInstallation(database, many);
  let statements = 0;
  const queries = database.queries.withPlugin({
    transformQuery({ node }) {
      statements += 1;
      return node;
    },
    transformResult: async ({ result }) => result,
  });
  const openWithoutTimeout = vi.fn(database.openWithoutTimeout);
  const counted = { ...database, queries, openWithoutTimeout };
  expect(await migrateExtensions(counted, many)).toEqual({ applied: [], failed: [], installed: [] });
  expect([statements, openWithoutTimeout.mock.calls.length]).toEqual([2, 0]);
  const { applied } = await migrateExtensions(counted, [...many, LATER]);
  expect([applied, openWithoutTimeout.mock.calls.length]).toEqual([['later 0001-init'], 1]);
});

test('a schema that the role may not use fails alone', async () => {
  const database = await aDatabase(WITHOUT_EXTENSIONS);
  await migrateInstallation(database, [GOOD]);
  const refusing = { ...database, queries: refusingAtFirst(database) };
  expect(await migrateExtensions(refusing, [GOOD, LATER])).toMatchObject({
    failed: [],
    installed: ['later'],
  });
});

/** Its first statement fails, as one that reads all states does if one of them may not be read. */
function refusingAtFirst({ queries }: Database): Database['queries'] {
  let isFirst = true;
  return queries.withPlugin({
    transformQuery({ node }) {
      if (!isFirst) return node;
      isFirst = false;
      throw new Error('permission denied for schema good');
    },
    transformResult: async ({ result }) => result,
  });
}

test('extensions are migrated by themselves in the embedded database only', async () => {
  const database = await aDatabase(WITHOUT_EXTENSIONS);
  const schemas = createPostgresExtensionSchemas(database, () => loadStoredExtensions([GOOD]));
  const migrate = (isEmbedded: boolean) =>
    migrateExtensionsIfEmbedded({ database, isEmbedded } as OpenDatabase, [BROKEN, GOOD]);
  expect(await migrate(false)).toEqual([]);
  expect(await schemas.states()).toEqual([{ name: 'good', state: 'behind' }]);
  expect(await migrate(true)).toMatchObject([{ name: 'broken' }]);
  expect(await schemas.states()).toEqual([{ name: 'good', state: 'current' }]);
});

test('an extension with the name of a service is refused, and no extension is migrated', async () => {
  const database = await aDatabase(WITHOUT_EXTENSIONS);
  const { services } = createPostgresRepositories(database);
  const create = createService({
    services,
    catalog: createCatalog(BUILT_IN),
    clock: createFixedClock(START),
  });
  const created = await create(OPERATOR, { name: 'later', description: null, openTo: 'all' });
  expect(created).toMatchObject({ ok: true });
  await expect(migrateInstallation(database, [GOOD, LATER])).rejects.toThrow(
    'the extension later has the name of a service',
  );
  const schemas = createPostgresExtensionSchemas(database, () => loadStoredExtensions([GOOD]));
  expect(await schemas.states()).toEqual([{ name: 'good', state: 'behind' }]);
});

test('an extension whose layer cannot be loaded fails alone', async () => {
  const database = await aDatabase(WITHOUT_EXTENSIONS);
  const unloadable = { ...GOOD, name: 'unloadable', postgres: () => Promise.reject(new Error('no module')) };
  const { failed, installed } = await migrateInstallation(database, [unloadable, LATER]);
  expect(failed).toMatchObject([{ name: 'unloadable', error: { message: 'no module' } }]);
  expect(installed).toEqual(['later']);
});
