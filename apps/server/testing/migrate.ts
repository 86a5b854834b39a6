import { migrateToLatest, openDatabase } from '@gatehouse/postgres';
import type { TestSchema } from '@gatehouse/test-database';

/** Gives a database the schema of this version. */
export async function migrate(url: string): Promise<void> {
  const database = openDatabase({ url, poolSize: 1 });
  await migrateToLatest(database);
  await database.close();
}

/** Of the databases that servers are started on. */
export const SCHEMA: TestSchema = { name: 'product', migrate };
