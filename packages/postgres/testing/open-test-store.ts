import { createTestDatabase, type TestSchema } from '@gatehouse/test-database';
import { type Database, type DatabaseOptions, openDatabase } from '../src/database/database.ts';
import { migrateToLatest } from '../src/database/migrate.ts';

const SCHEMA: TestSchema = {
  name: 'product',
  async migrate(url) {
    const database = openDatabase({ url, poolSize: 1 });
    await migrateToLatest(database);
    await database.close();
  },
};

export interface TestDatabaseHandle {
  readonly url: string;
  readonly database: Database;
  close(): Promise<void>;
}

/** A private database; migrated unless it is to stay empty. */
export async function openTestDatabase(
  options: { readonly empty?: boolean } & Partial<DatabaseOptions> = {},
): Promise<TestDatabaseHandle> {
  const { empty = false, ...settings } = options;
  const { url, drop } = await createTestDatabase(empty ? undefined : SCHEMA);
  const database = openDatabase({ url, poolSize: 10, ...settings });
  return {
    url,
    database,
    async close() {
      await database.close();
      await drop();
    },
  };
}
