import { describeFinding } from '@gatehouse/domain/health';
import { openEmbeddedPostgres } from '@gatehouse/embedded-postgres';
import type { Extension } from '@gatehouse/extension-kit';
import { refuseNamesOfServices } from '@gatehouse/installation';
import {
  migrateExtensionsIfEmbedded,
  migrateIfEmbedded,
  openInstallationDatabase,
} from '@gatehouse/installation/open-database';
import {
  type ConnectionString,
  createPostgresRepositories,
  createPostgresStoreProbe,
  type Database,
  openDatabase,
  type StatementWatch,
} from '@gatehouse/postgres';
import type { Log } from '../logging/line-kind.ts';
import type { Settings } from '../settings/settings.ts';
import { StartError } from './start-error.ts';

/**
 * The time limit for one read from the database, in milliseconds. If the database hangs, a request must be refused
 * within a second, and a request without cached data makes three reads. The limit is for each read, because a timer for
 * each request would also slow down requests that read only from memory.
 */
export const READ_WITHIN_MS = 300;

/**
 * The longest time that a request waits for a connection to the database, in milliseconds. It is less than a second,
 * because a request that cannot be answered within a second must have been refused by then.
 */
export const CONNECT_WITHIN_MS = 900;

export type Store = Awaited<ReturnType<typeof openStore>>;

/**
 * Opens the database of the settings or, without one, the embedded database, which is migrated automatically. If an
 * extension cannot be migrated there, the failure is logged and the extension is unavailable.
 *
 * @throws {SetupFault} if an extension has the name of a service
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
  // If workers answer the requests, this process does not use its own pool for requests, so `/ready` can use it.
  const readinessDatabase = settings.WORKERS > 1 ? database : openReadinessDatabase(address.url, database);
  if (readinessDatabase !== database) resources.defer(() => readinessDatabase.close());

  const onWaiting = (text: string) => log.warn(text);
  const state = await migrateIfEmbedded(opened, { onWaiting });
  if (state === 'ahead') {
    throw new StartError('the database was migrated by a newer version of Gatehouse: start that version');
  }
  if (state === 'behind') {
    throw new StartError(
      'the schema of the database is older than this version of Gatehouse: run `gatehouse migrate` before you start it',
    );
  }
  await refuseNamesOfServices(createPostgresRepositories(database).services, extensions);
  for (const { name, error } of await migrateExtensionsIfEmbedded(opened, extensions, { onWaiting })) {
    log.warn(
      { err: error },
      `the extension ${name} is unavailable, because its migration failed: the next start tries again`,
    );
  }
  return {
    database,
    /** A connection for `/ready` only, so that requests cannot use it up. */
    readinessDatabase,
    address,
    /**
     * The address for LISTEN. It must lead to the database directly, because LISTEN does not work through a connection
     * pooler.
     */
    listenAddress,
    isEmbedded,
  };
}

/**
 * Opens a pool with a single connection for readiness checks. The connection is opened at the first check. It must
 * reach the same primary server as the connections for requests.
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

/** Logs each property of the database that causes problems for this server, with what to do about it. */
export async function warnOfUnfitDatabase(database: Database, log: Log): Promise<void> {
  for (const property of await createPostgresStoreProbe(database).unfitProperties()) {
    const { message, remedy } = describeFinding(property);
    log.warn({ code: property.code }, `${message} ${remedy}`);
  }
}
