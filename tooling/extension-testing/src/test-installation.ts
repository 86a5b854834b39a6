import type { Extension } from '@gatehouse/extension-kit';
import { migrateInstallation } from '@gatehouse/installation/migrate';
import {
  createExtensionDatabase,
  createPostgresRepositories,
  type DatabaseOptions,
  openDatabase,
} from '@gatehouse/postgres';
import { createTestDatabase } from '@gatehouse/test-database';
import { expectRecorded } from './recorded-changes.ts';

export type TestInstallation = Awaited<ReturnType<typeof openTestInstallation>>;

/**
 * Opens a private database with the tables of Gatehouse and of the extension, and the extension's store beside the
 * repositories of Gatehouse. A change that it makes of rows without an audit event throws.
 */
export async function openTestInstallation<Store>(
  extension: Extension<Store>,
  options: Partial<DatabaseOptions> = {},
) {
  const { url, drop } = await createTestDatabase({
    name: `with_${extension.name.replaceAll('-', '_')}`,
    async migrate(at) {
      const database = openDatabase({ url: at, poolSize: 1 });
      const { failed } = await migrateInstallation(database, [extension]).finally(() => database.close());
      if (failed[0]) throw failed[0].error;
    },
  });
  const database = openDatabase({ url, poolSize: 10, ...options });
  const { name } = extension;
  const { migrations, createStore } = await extension.postgres();
  return {
    url,
    database,
    repositories: createPostgresRepositories(database),
    store: createStore(expectRecorded(createExtensionDatabase(database, { name, migrations }), name)),
    async close() {
      await database.close();
      await drop();
    },
  };
}
