import { createTestDatabase, type TestSchema } from '@gatehouse/test-database';
import pg from 'pg';
import { onTestFinished } from 'vitest';
import { type Database, type DatabaseOptions, openDatabase } from '../src/database/database.ts';
import { migrateToLatest } from '../src/database/migrator/migrate.ts';
import { createPostgresRepositories } from '../src/repositories.ts';

const SCHEMA: TestSchema = {
  name: 'product',
  async migrate(url) {
    const database = openDatabase({ url, poolSize: 1 });
    await migrateToLatest(database);
    await database.close();
  },
};

export type TestDatabase = Awaited<ReturnType<typeof openTestDatabase>>;

/** A private database, migrated unless it is to stay empty, and its repositories. */
export async function openTestDatabase(
  options: { readonly empty?: boolean; readonly encoding?: string } & Partial<DatabaseOptions> = {},
) {
  const { empty = false, encoding, ...settings } = options;
  const { url, drop } = await createTestDatabase(empty ? undefined : SCHEMA, encoding ? { encoding } : {});
  const database = openDatabase({ url, poolSize: 10, ...settings });
  return {
    url,
    database,
    store: createPostgresRepositories(database),
    async close() {
      await database.close();
      await drop();
    },
  };
}

/** The same, closed with the test. */
export async function aTestDatabase(...options: Parameters<typeof openTestDatabase>): Promise<TestDatabase> {
  const opened = await openTestDatabase(...options);
  onTestFinished(opened.close);
  return opened;
}

/** Another pool on a database, closed with the test. */
export function openAnother(options: DatabaseOptions): Database {
  const database = openDatabase(options);
  onTestFinished(() => database.close());
  return database;
}

/** A plain client on the same database, until the test has finished. */
export async function connectClient(url: string, config: pg.ClientConfig = {}): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url, ...config });
  await client.connect();
  onTestFinished(() => client.end());
  return client;
}
