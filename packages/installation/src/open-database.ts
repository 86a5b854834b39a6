import type { SchemaState } from '@gatehouse/domain/health';
import type { EmbeddedPostgres } from '@gatehouse/embedded-postgres';
import type { Extension } from '@gatehouse/extension-kit';
import type { DatabaseOptions, MigrateOptions } from '@gatehouse/postgres';
import { openDatabase, schemaState } from '@gatehouse/postgres';
import { addressIn } from './database-address.ts';
import type { FailedExtension } from './migrate-installation.ts';
import type { InstallationSettings } from './settings/index.ts';

export type { DatabaseAddress } from './database-address.ts';

export type OpenDatabase = ReturnType<typeof openInstallationDatabase>;

interface OpenDatabaseOptions {
  readonly pool: Omit<DatabaseOptions, 'url'>;
  readonly embedded: EmbeddedPostgres | undefined;
  /**
   * Called with a line for the log when the file with the URL of a database was replaced and the new file cannot be
   * used.
   */
  readonly onIgnored: (line: string) => void;
}

/**
 * Creates the connection pool of the database that the settings name, or of the embedded database. No connection is
 * opened yet. Disposing of the result closes the pool and also stops the embedded database.
 */
export function openInstallationDatabase(
  settings: InstallationSettings,
  { pool, embedded, onIgnored }: OpenDatabaseOptions,
) {
  const address = embedded
    ? { url: embedded.url, file: undefined }
    : addressIn(settings, 'DATABASE_URL', onIgnored);
  if (address === undefined) throw new TypeError('without DATABASE_URL there is an embedded database');
  const { url } = address;
  const listenAddress = addressIn(settings, 'DATABASE_LISTEN_URL', onIgnored) ?? address;
  const resources = new AsyncDisposableStack();
  if (embedded) resources.use(embedded);
  const database = openDatabase({ url, ...pool });
  resources.defer(() => database.close());
  return {
    database,
    address,
    /**
     * The address for LISTEN. It must lead to the database directly, because LISTEN does not work through a connection
     * pooler.
     */
    listenAddress,
    isEmbedded: embedded !== undefined,
    [Symbol.asyncDispose]: () => resources.disposeAsync(),
  };
}

/**
 * Migrates the embedded database if its schema is behind; any other database is migrated only by `gatehouse migrate`.
 * Resolves with the state of the schema afterwards.
 */
export async function migrateIfEmbedded(
  { database, isEmbedded }: OpenDatabase,
  options?: MigrateOptions,
): Promise<SchemaState> {
  const state = await schemaState(database);
  if (state !== 'behind' || !isEmbedded) return state;
  const { migrateToLatest } = await import('@gatehouse/postgres/migrate');
  await migrateToLatest(database, options);
  return 'current';
}

/**
 * Migrates the extensions in the embedded database; in any other database, only `gatehouse migrate` migrates them.
 * Resolves with the extensions whose migration failed. Gatehouse and the other extensions work without these.
 */
export async function migrateExtensionsIfEmbedded(
  { database, isEmbedded }: OpenDatabase,
  extensions: readonly Extension[],
  options?: MigrateOptions,
): Promise<readonly FailedExtension[]> {
  if (!isEmbedded) return [];
  const { migrateExtensions } = await import('./migrate-installation.ts');
  return (await migrateExtensions(database, extensions, options)).failed;
}
