import { migrateInstallation } from '@gatehouse/installation/migrate';
import { openDatabase } from '@gatehouse/postgres';
import type { TestSchema } from '@gatehouse/test-database';
import { REGISTERED } from './registered.ts';

/** The schema of Gatehouse and of the extensions of tests. */
export const REGISTERED_SCHEMA: TestSchema = {
  name: 'registered',
  async migrate(url) {
    const database = openDatabase({ url, poolSize: 1 });
    const { failed } = await migrateInstallation(database, REGISTERED).finally(() => database.close());
    if (failed[0]) throw failed[0].error;
  },
};
