import { migrateToLatest, openDatabase } from '@gatehouse/postgres';

/** Gives a database the schema of this version. */
export async function migrate(url: string): Promise<void> {
  const database = openDatabase({ url, poolSize: 1 });
  await migrateToLatest(database);
  await database.close();
}
