import type { Extension, ExtensionPorts } from '@gatehouse/extension-kit';
import type { ExtensionDatabase } from '@gatehouse/extension-kit/postgres';
import { createExtensionDatabase, type Database, type StoredExtension } from '@gatehouse/postgres';

export interface ExtensionUseCasePorts extends Omit<ExtensionPorts<unknown>, 'store'> {
  readonly database: Database;
  /** Answers reads of rows from memory. Without it, as in commands, each read goes to the database. */
  readonly remember?: ExtensionDatabase<unknown>['remember'];
}

/** The domain and the store of an extension, loaded. */
export interface LoadedExtension<UseCases> {
  /** Creates its use cases on the database, whatever the state of its schema. */
  createUseCases(ports: ExtensionUseCasePorts): UseCases;
}

/** Loads the domain and the store of an extension. */
export async function loadExtension<Store, UseCases>(
  extension: Extension<Store, UseCases>,
): Promise<LoadedExtension<UseCases>> {
  const [createStore, domain] = await Promise.all([loadStore(extension), extension.domain()]);
  return {
    createUseCases: ({ database, remember, ...ports }) =>
      domain.createUseCases({ ...ports, store: createStore(database, remember) }),
  };
}

/** Loads an extension and creates its use cases on the database. */
export async function createExtensionUseCases<Store, UseCases>(
  extension: Extension<Store, UseCases>,
  ports: ExtensionUseCasePorts,
): Promise<UseCases> {
  return (await loadExtension(extension)).createUseCases(ports);
}

/** Loads the extension's store on the database. */
export async function openExtensionStore<Store>(
  extension: Extension<Store>,
  database: Database,
): Promise<Store> {
  return (await loadStore(extension))(database);
}

async function loadStore<Store>({ name, ...extension }: Extension<Store>) {
  const { migrations, createStore } = await extension.postgres();
  return (database: Database, remember?: ExtensionDatabase<unknown>['remember']) =>
    createStore(createExtensionDatabase(database, { name, migrations }, remember));
}

/** Loads the storage of each of these extensions. */
export function loadStoredExtensions(extensions: readonly Extension[]): Promise<readonly StoredExtension[]> {
  return Promise.all(
    extensions.map(async ({ name, ...extension }) => {
      const { migrations, belongings } = await extension.postgres();
      return { name, migrations, belongings };
    }),
  );
}
