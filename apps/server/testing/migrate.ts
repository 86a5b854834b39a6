import { migrateToLatest, openDatabase } from '@gatehouse/postgres';
import type { TestSchema } from '@gatehouse/test-database';

/** Migrates a database to the schema of this version. */
export async function migrate(url: string): Promise<void> {
  const database = openDatabase({ url, poolSize: 1 });
  await migrateToLatest(database);
  await database.close();
}

/** The schema of databases that servers are started on. */
export const SCHEMA: TestSchema = { name: 'product', migrate };
