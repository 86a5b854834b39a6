import type { SchemaState } from '@gatehouse/domain/health';
import type { EmbeddedPostgres } from '@gatehouse/embedded-postgres';
import type { Extension } from '@gatehouse/extension-kit';
import type { DatabaseOptions, MigrateOptions } from '@gatehouse/postgres';
import { migrateToLatest, openDatabase, schemaState } from '@gatehouse/postgres';
import { type FailedExtension, migrateExtensions } from './migrate-installation.ts';
import type { InstallationSettings } from './settings/index.ts';

export {
  type FailedExtension,
  type MigrationReport,
  migrateExtensions,
  migrateInstallation,
} from './migrate-installation.ts';

export type OpenDatabase = ReturnType<typeof openInstallationDatabase>;

/**
 * Opens the database of the settings, or else the embedded one, without connecting. Closing it also closes the embedded
 * one.
 */
export function openInstallationDatabase(
  settings: Pick<InstallationSettings, 'DATABASE_URL' | 'DATABASE_LISTEN_URL'>,
  pool: Omit<DatabaseOptions, 'url'>,
  embedded: EmbeddedPostgres | undefined,
) {
  const url = embedded?.url ?? settings.DATABASE_URL;
  if (url === undefined) throw new TypeError('without DATABASE_URL there is an embedded database');
  const resources = new AsyncDisposableStack();
  if (embedded) resources.use(embedded);
  const database = openDatabase({ url, ...pool });
  resources.defer(() => database.close());
  return {
    database,
    url,
    /** The URL for LISTEN: of the database itself, not of a connection pooler. */
    listenUrl: settings.DATABASE_LISTEN_URL ?? url,
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
  await migrateToLatest(database, options);
  return 'current';
}

/**
 * Migrates the extensions in the embedded database; in any other, only `gatehouse migrate` does. Resolves with those
 * that failed, which keep nothing else from working.
 */
export async function migrateExtensionsIfEmbedded(
  { database, isEmbedded }: OpenDatabase,
  extensions: readonly Extension[],
  options?: MigrateOptions,
): Promise<readonly FailedExtension[]> {
  return isEmbedded ? (await migrateExtensions(database, extensions, options)).failed : [];
}
