import type { Extension, ExtensionPorts } from '@gatehouse/extension-kit';
import { createExtensionDatabase, type Database } from '@gatehouse/postgres';

interface ExtensionUseCasePorts extends Omit<ExtensionPorts<unknown>, 'store'> {
  readonly database: Database;
}

/** Loads an extension and creates its use cases on the database, whatever the state of its schema. */
export async function createExtensionUseCases<Store, UseCases>(
  extension: Extension<Store, UseCases>,
  { database, ...ports }: ExtensionUseCasePorts,
): Promise<UseCases> {
  const [store, domain] = await Promise.all([openExtensionStore(extension, database), extension.domain()]);
  return domain.createUseCases({ ...ports, store });
}

/** Loads the extension's store on the database. */
export async function openExtensionStore<Store>(
  { name, ...extension }: Extension<Store>,
  database: Database,
): Promise<Store> {
  const { migrations, createStore } = await extension.postgres();
  return createStore(createExtensionDatabase(database, { name, migrations }));
}
