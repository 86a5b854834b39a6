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
  /** Where changes can be listened to: the database itself, without a connection pooler in between. */
  readonly listenUrl: string;
  readonly isEmbedded: boolean;
}

interface OpenDatabaseOptions {
  readonly pool: Omit<DatabaseOptions, 'url'>;
  /** Where the settings name no database; it is closed together with the pool. */
  readonly embedded: EmbeddedPostgres | undefined;
}

/** Opens the database of the settings, or the embedded one, without connecting yet. */
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
 * Migrates the embedded database where its schema is behind; any other is migrated by `gatehouse migrate` only.
 * Resolves with the state of the schema after that.
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
