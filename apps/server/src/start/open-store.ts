import { describeFinding } from '@gatehouse/domain/health';
import { openEmbeddedPostgres } from '@gatehouse/embedded-postgres';
import type { Extension } from '@gatehouse/extension-kit';
import {
  migrateExtensionsIfEmbedded,
  migrateIfEmbedded,
  openInstallationDatabase,
} from '@gatehouse/installation/open-database';
import {
  type ConnectionString,
  createPostgresStoreProbe,
  type Database,
  openDatabase,
  type StatementWatch,
} from '@gatehouse/postgres';
import type { Log } from '../logging/line-kind.ts';
import type { Settings } from '../settings/settings.ts';
import { StartError } from './start-error.ts';

/**
 * Longest time of one read, in milliseconds. If the database hangs, a request has to be refused within a second, and a
 * request without cached data makes three reads. Each read has a limit and not each request, because a timer for each
 * request would also slow down requests that need no read.
 */
export const READ_WITHIN_MS = 300;

/** Longest wait of a request for a connection, in milliseconds: it has to be refused within a second. */
export const CONNECT_WITHIN_MS = 900;

export type Store = Awaited<ReturnType<typeof openStore>>;

/**
 * Opens the database of the settings or, without one, the embedded database, which is migrated automatically. An
 * extension that cannot be migrated there is logged, and is unavailable.
 */
export async function openStore(
  settings: Settings,
  resources: AsyncDisposableStack,
  log: Log,
  extensions: readonly Extension[],
  watch?: StatementWatch,
) {
  const { DATABASE_POOL_SIZE: poolSize, GATEHOUSE_DATA_DIR: dataDir } = settings;
  const isNamed = (settings.DATABASE_URL ?? settings.DATABASE_URL_FILE) !== undefined;
  const embedded = isNamed ? undefined : await openEmbedded(dataDir, resources, log);
  const pool = { poolSize, connectTimeoutMs: CONNECT_WITHIN_MS, readWithinMs: READ_WITHIN_MS, watch };
  const onIgnored = (line: string) => log.warn(line);
  const opened = resources.use(openInstallationDatabase(settings, { pool, embedded, onIgnored }));
  const { database, address, listenAddress, isEmbedded } = opened;
  // If workers answer the requests, this process's own pool is idle.
  const readinessDatabase = settings.WORKERS > 1 ? database : openReadinessDatabase(address.url, database);
  if (readinessDatabase !== database) resources.defer(() => readinessDatabase.close());

  const onWaiting = (text: string) => log.warn(text);
  const state = await migrateIfEmbedded(opened, { onWaiting });
  if (state === 'ahead') {
    throw new StartError('the database was migrated by a newer version of Gatehouse: start that one');
  }
  if (state === 'behind') {
    throw new StartError('the schema of the database is behind this version: run `gatehouse migrate` first');
  }
  for (const { name, error } of await migrateExtensionsIfEmbedded(opened, extensions, { onWaiting })) {
    log.warn({ err: error }, `the extension ${name} was not migrated`);
  }
  return {
    database,
    /** The database for `/ready` only, so that requests cannot use up its connection. */
    readinessDatabase,
    address,
    /** The address of the database itself, not of a connection pooler. */
    listenAddress,
    isEmbedded,
  };
}

/**
 * Opens a database with one connection. The first readiness check opens it, and it has to lead where the connections of
 * the other database lead.
 */
export function openReadinessDatabase(
  url: ConnectionString,
  { primary }: Pick<Database, 'primary'>,
): Database {
  return openDatabase({ url, poolSize: 1, connectTimeoutMs: CONNECT_WITHIN_MS, primary });
}

async function openEmbedded(dataDir: string, resources: AsyncDisposableStack, log: Log) {
  const embedded = await openEmbeddedPostgres({ dataDir, onIncident: (message) => log.warn(message) });
  if (!resources.disposed) return embedded;
  await embedded.close();
  throw new StartError('the start was aborted');
}

/** Logs each property of the database that causes problems to this server. */
export async function warnOfUnfitDatabase(database: Database, log: Log): Promise<void> {
  for (const property of await createPostgresStoreProbe(database).unfitProperties()) {
    const { message, remedy } = describeFinding(property);
    log.warn({ code: property.code }, `${message} ${remedy}`);
  }
}
