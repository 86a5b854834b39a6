import { createTestDatabase, type TestDatabase } from '@gatehouse/test-database';
import type { ProcessEnvironment } from './process.ts';

/** An empty database, and the settings with which a command works on it. */
export async function aDatabase(): Promise<TestDatabase & { readonly settings: ProcessEnvironment }> {
  const database = await createTestDatabase();
  return { ...database, settings: { DATABASE_URL: database.url, GATEHOUSE_MASTER_KEY: 'A'.repeat(43) } };
}
