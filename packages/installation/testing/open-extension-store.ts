import type { Extension } from '@gatehouse/extension-kit';
import { createExtensionDatabase, type Database } from '@gatehouse/postgres';

/** Loads the store of an extension on a database. */
export async function openExtensionStore<Store>(
  { name, ...extension }: Extension<Store>,
  database: Database,
): Promise<Store> {
  const { migrations, createStore } = await extension.postgres();
  return createStore(createExtensionDatabase(database, { name, migrations }));
}
