import type { SchemaState } from '@gatehouse/domain/health';
import type { EmbeddedPostgres } from '@gatehouse/embedded-postgres';
import {
  type Database,
  type DatabaseOptions,
  type MigrateOptions,
  migrateToLatest,
  openDatabase,
  schemaState,
} from '@gatehouse/postgres';
import type { InstallationSettings } from './settings/index.ts';

export interface OpenDatabase extends AsyncDisposable {
  readonly database: Database;
  readonly url: string;
  /** The URL for LISTEN: of the database itself, not of a connection pooler. */
  readonly listenUrl: string;
  readonly isEmbedded: boolean;
}

interface OpenDatabaseOptions {
  readonly pool: Omit<DatabaseOptions, 'url'>;
  /** The embedded database, if the settings name no other; it is closed together with the pool. */
  readonly embedded: EmbeddedPostgres | undefined;
}

/** Opens the database of the settings, or the embedded one, without connecting. */
export function openInstallationDatabase(
  settings: Pick<InstallationSettings, 'DATABASE_URL' | 'DATABASE_LISTEN_URL'>,
  { pool, embedded }: OpenDatabaseOptions,
): OpenDatabase {
  const url = embedded?.url ?? settings.DATABASE_URL;
  if (url === undefined) throw new TypeError('without DATABASE_URL there is an embedded database');
  const resources = new AsyncDisposableStack();
  if (embedded) resources.use(embedded);
  const database = openDatabase({ url, ...pool });
  resources.defer(() => database.close());
  return {
    database,
    url,
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
