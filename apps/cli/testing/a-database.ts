import { createTestDatabase, type TestDatabase } from '@gatehouse/test-database';
import type { ProcessEnvironment } from './process.ts';

/** Creates an empty database with the settings for commands. */
export async function aDatabase(): Promise<TestDatabase & { readonly settings: ProcessEnvironment }> {
  const database = await createTestDatabase();
  return { ...database, settings: { DATABASE_URL: database.url, GATEHOUSE_MASTER_KEY: 'A'.repeat(43) } };
}
