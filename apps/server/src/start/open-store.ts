import { openEmbeddedPostgres } from '@gatehouse/embedded-postgres';
import { type Database, migrateToLatest, openDatabase, schemaState } from '@gatehouse/postgres';
import type { Logger } from 'pino';
import type { Settings } from '../settings/settings.ts';
import { StartError } from './start-error.ts';

/**
 * A request that nothing remembered answers makes three reads, the first for a key that is new to this process, and
 * is to be refused within a second. Each read is bounded, and not whole requests: those that are answered from memory
 * would pay for it, too.
 */
export const READ_WITHIN_MS = 300;

export interface Store {
  readonly database: Database;
  /** For readiness, which is to be told however many requests wait for the other's connections. */
  readonly readinessDatabase: Database;
  readonly url: string;
  /** Where changes can be listened to: the database itself, without a connection pooler in between. */
  readonly listenUrl: string;
}

/** The database that the settings name, or else the embedded one, which may be migrated without asking. */
export async function openStore(
  settings: Settings,
  resources: AsyncDisposableStack,
  log: Logger,
): Promise<Store> {
  const {
    DATABASE_URL: given,
    DATABASE_LISTEN_URL: listenUrl,
    DATABASE_POOL_SIZE: poolSize,
    GATEHOUSE_DATA_DIR: dataDir,
    WORKERS: workers,
  } = settings;
  const url = given ?? (await openEmbedded(dataDir, resources, log));
  const database = openDatabase({ url, poolSize, readWithinMs: READ_WITHIN_MS });
  resources.defer(() => database.close());
  // Where workers answer the requests, this process's own pool is idle.
  const readinessDatabase = workers > 1 ? database : openReadinessDatabase(url);
  if (readinessDatabase !== database) resources.defer(() => readinessDatabase.close());

  const state = await schemaState(database);
  if (state === 'ahead') {
    throw new StartError('the database was migrated by a newer version of Gatehouse: start that one');
  }
  if (state === 'behind' && given !== undefined) {
    throw new StartError('the schema of the database is behind this version: run `gatehouse migrate` first');
  }
  if (state === 'behind') await migrateToLatest(database, { onWaiting: (text) => log.warn(text) });
  return { database, readinessDatabase, url, listenUrl: listenUrl ?? url };
}

/** With one connection, which is made when readiness is first asked. */
export function openReadinessDatabase(url: string): Database {
  return openDatabase({ url, poolSize: 1 });
}

async function openEmbedded(dataDir: string, resources: AsyncDisposableStack, log: Logger): Promise<string> {
  const onIncident = (message: string) => log.warn(message);
  const embedded = await openEmbeddedPostgres({ dataDir, onIncident });
  if (resources.disposed) {
    await embedded.close();
    throw new StartError('the start was given up');
  }
  return resources.use(embedded).url;
}
