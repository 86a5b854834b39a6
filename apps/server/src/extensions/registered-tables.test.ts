import { setTimeout as delay } from 'node:timers/promises';
import { schemaOf } from '@gatehouse/extension-kit/postgres';
import { migrateInstallation } from '@gatehouse/installation/migrate';
import { openExtensionStore } from '@gatehouse/installation/testing';
import { openDatabase } from '@gatehouse/postgres';
import { createTestDatabase } from '@gatehouse/test-database';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { call } from '../../testing/client.ts';
import { factsOf } from '../../testing/example-facts.ts';
import { exampleTargets, isTokenRead } from '../../testing/examples.ts';
import { REGISTERED } from '../../testing/registered.ts';
import { REGISTERED_SCHEMA } from '../../testing/registered-database.ts';
import { startTestServer } from '../../testing/start-test-server.ts';

interface ForeignKey {
  readonly name: string;
  readonly table: string;
  readonly parent: string;
  readonly columns: readonly string[];
  readonly parentColumns: readonly string[];
  /** `c` is `on delete cascade`, `n` is `on delete set null`. */
  readonly onDelete: string;
  readonly isIndexed: boolean;
}

const FOREIGN_KEYS = `
  select con.conname as name, con.conrelid::regclass::text as table, con.confrelid::regclass::text as parent,
    (select array_agg(attname::text order by ord) from unnest(con.conkey) with ordinality as key (num, ord)
      join pg_attribute on attrelid = con.conrelid and attnum = num) as columns,
    (select array_agg(attname::text order by ord) from unnest(con.confkey) with ordinality as key (num, ord)
      join pg_attribute on attrelid = con.confrelid and attnum = num) as "parentColumns",
    con.confdeltype::text as "onDelete",
    exists (select from pg_index where indrelid = con.conrelid and indkey[0] = any (con.conkey)) as "isIndexed"
  from pg_constraint as con
  where con.contype = 'f' and con.connamespace = to_regnamespace($1)`;

/** The rows that are also deleted by versions without the extension. */
const PARENTS: Readonly<Record<string, 'account' | 'organization' | undefined>> = {
  accounts: 'account',
  organizations: 'organization',
};

/** How long a read may wait in these tests, in milliseconds. */
const READ_WITHIN_MS = 50;
/** Longer than any answer takes that is given at all, in milliseconds. */
const GIVEN_UP_MS = 8_000;

let testDatabase: Awaited<ReturnType<typeof createTestDatabase>>;
let client: pg.Client;

beforeAll(async () => {
  testDatabase = await createTestDatabase(REGISTERED_SCHEMA);
  client = new pg.Client({ connectionString: testDatabase.url });
  await client.connect();
});
afterAll(async () => {
  await client.end();
  await testDatabase.drop();
});

test('the migrations of all extensions are applied once', async () => {
  const database = openDatabase({ url: testDatabase.url, poolSize: 1 });
  const again = await migrateInstallation(database, REGISTERED).finally(() => database.close());
  expect(again).toMatchObject({ applied: [], failed: [] });
});

describe.each(REGISTERED)('the tables of $name', (extension) => {
  const schema = schemaOf(extension.name);
  const keysOf = async () => (await client.query<ForeignKey>(FOREIGN_KEYS, [schema])).rows;

  test('go with what they belong to, by foreign keys to what Gatehouse keeps', async () => {
    for (const { name, parent, parentColumns, onDelete, isIndexed } of await keysOf()) {
      const isOwn = parent.startsWith(`${schema}.`);
      expect(isOwn ? ['c', 'n'] : ['c'], `${name}: on delete cascade`).toContain(onDelete);
      expect(isIndexed, `${name}: an index that begins with one of its columns`).toBe(true);
      if (isOwn) continue;
      expect(['accounts', 'organizations', 'users'], `${name}: its parent`).toContain(parent);
      expect(['id', 'account_id'], `${name}: columns of ${parent}`).toEqual(
        expect.arrayContaining([...parentColumns]),
      );
    }
  });

  test('are those that `belongings` names, each with its foreign key', async () => {
    const { belongings } = await extension.postgres();
    const described = belongings.map(
      ({ table, column, belongsTo }) => `${table}.${column} belongs to its ${belongsTo}`,
    );
    const inTables = (await keysOf()).flatMap(({ table, parent, columns, parentColumns }) => {
      const belongsTo = PARENTS[parent];
      const column = columns[parentColumns.indexOf('id')];
      return belongsTo ? [`${table}.${column} belongs to its ${belongsTo}`] : [];
    });
    expect(described.toSorted()).toEqual(inTables.toSorted());
  });

  test('that do not answer hold up no request: each read of its routes is made by `inTime`', async () => {
    const database = openDatabase({
      url: testDatabase.url,
      poolSize: 4,
      readWithinMs: READ_WITHIN_MS,
      // So that a read which nothing bounds is not ended by PostgreSQL.
      statementTimeoutMs: 60_000,
    });
    const [domain, http] = await Promise.all([extension.domain(), extension.http?.()]);
    const store = await openExtensionStore(extension, database);
    const { facts } = await disposed(
      startTestServer({
        extensions: [extension],
        given: async (server) => ({ facts: await factsOf(server) }),
      }),
    );
    await using scene = await startTestServer({
      extensions: [extension],
      ports: (world) => ({
        extensions: [
          {
            routes: http?.serve(domain.createUseCases({ ...world, store })) ?? [],
            deadline: () => new Promise<never>(() => undefined),
            onBehalfOf: (_, work) => work(),
          },
        ],
      }),
    });
    await client.query('begin');
    const { rows } = await client.query<{ name: string }>(
      `select oid::regclass::text as name from pg_class
       where relkind in ('r', 'p') and relnamespace = to_regnamespace($1) and relname <> 'gatehouse_migration'`,
      [schema],
    );
    for (const { name } of rows) await client.query(`lock table ${name} in access exclusive mode`);
    const token = await scene.adminToken();
    try {
      const own = new Set(http?.routes.map(({ operationId }) => operationId));
      for (const { route, target } of exampleTargets(facts, isTokenRead)) {
        if (!own.has(route.operationId)) continue;
        const answered = call(scene.url, target, { token }).then(({ status }) => `${status}`);
        const outcome = await Promise.race([answered, delay(GIVEN_UP_MS, 'no answer', { ref: false })]);
        answered.catch(() => undefined);
        expect([route.operationId, outcome]).toEqual([route.operationId, '503']);
      }
    } finally {
      await client.query('rollback');
      await database.close();
    }
  });
});

/** Returns a scene after its server ended. */
async function disposed<Scene extends AsyncDisposable>(opening: Promise<Scene>): Promise<Scene> {
  await using scene = await opening;
  return scene;
}
