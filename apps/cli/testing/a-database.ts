import { createTestDatabase, type TestDatabase, type TestSchema } from '@gatehouse/test-database';
import type { ProcessEnvironment } from './process.ts';
import { runHere } from './run-here.ts';

const MIGRATED: TestSchema = {
  name: 'commands',
  async migrate(url) {
    const { status, stderr } = await runHere({ DATABASE_URL: url }, ['migrate']);
    if (status !== 0) throw new Error(stderr);
  },
};

/**
 * Creates a database with the settings for commands.
 *
 * @param isMigrated whether `gatehouse migrate` has run on it. Default: it is empty
 */
export async function aDatabase({
  isMigrated = false,
} = {}): Promise<TestDatabase & { readonly settings: ProcessEnvironment }> {
  const database = await createTestDatabase(isMigrated ? MIGRATED : undefined);
  return { ...database, settings: { DATABASE_URL: database.url, GATEHOUSE_MASTER_KEY: 'A'.repeat(43) } };
}
