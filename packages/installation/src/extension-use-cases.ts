import type { Extension, ExtensionPorts } from '@gatehouse/extension-kit';
import type { ExtensionDatabase } from '@gatehouse/extension-kit/postgres';
import { createExtensionDatabase, type Database, type StoredExtension } from '@gatehouse/postgres';

export interface ExtensionUseCasePorts extends Omit<ExtensionPorts<unknown>, 'store'> {
  readonly database: Database;
  /** Answers reads of rows from a cache. If undefined, as in commands, each read goes to the database. */
  readonly remember?: ExtensionDatabase<unknown>['remember'];
}

/**
 * Loads the domain and the store of an extension. Returns a function that creates the extension's use cases for a
 * database. The function does not check whether the extension's schema was migrated.
 */
export async function loadExtension<Store, UseCases>(extension: Extension<Store, UseCases>) {
  const { name } = extension;
  const [{ migrations, createStore }, domain] = await Promise.all([extension.postgres(), extension.domain()]);
  return ({ database, remember, ...ports }: ExtensionUseCasePorts): UseCases => {
    const own = createExtensionDatabase(database, { name, migrations }, remember);
    return domain.createUseCases({ ...ports, store: createStore(own) });
  };
}

/**
 * Loads the migrations of each extension, and the list of its tables whose rows belong to accounts or organizations.
 */
export function loadStoredExtensions(extensions: readonly Extension[]): Promise<readonly StoredExtension[]> {
  return Promise.all(
    extensions.map(async ({ name, ...extension }) => {
      const { migrations, belongings } = await extension.postgres();
      return { name, migrations, belongings };
    }),
  );
}
