import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { openWithRights } from '@gatehouse/embedded-postgres/testing';
import { quickFolder } from '@gatehouse/test-database/quick-folder';

/** A PostgreSQL for one test run. */
export interface TestPostgres {
  /** The URL of a user who may create databases. */
  readonly url: string;
  /** Its origin, for the first line of the output. */
  readonly origin: string;
  /** The server existed before, so everything that tests leave behind stays. */
  readonly outlivesRun?: boolean;
  stop(): Promise<void>;
}

/** Tests need no protection from a power cut, and open many small pools. */
const SETTINGS = {
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
  max_connections: '300',
  // Autovacuum is off, because its workers belong to a superuser: a role without rights cannot drop a database that a
  // worker uses.
  autovacuum: 'off',
  // The write-ahead log is rarely read again, and is in memory.
  max_wal_size: '128MB',
};

/**
 * `TEST_DATABASE_URL` if set, else a container where a Docker engine answers, else the embedded PostgreSQL in a
 * temporary folder. If the container does not start, it is skipped as well, because there may be an engine but no way
 * to fetch images; unless `TEST_POSTGRES_IMAGE` names the image.
 */
export async function startTestPostgres(environment: NodeJS.ProcessEnv = process.env): Promise<TestPostgres> {
  const { TEST_DATABASE_URL: url, TEST_POSTGRES_IMAGE: image } = environment;
  if (url) return { url, origin: 'TEST_DATABASE_URL', outlivesRun: true, stop: async () => undefined };
  try {
    const container = await startContainer(image || 'postgres:17-alpine');
    if (container !== undefined) return container;
  } catch (error) {
    if (image) throw error;
    const reason = error instanceof Error ? error.message : String(error);
    return startEmbedded(`embedded; the container did not start: ${reason.split('\n')[0]}`);
  }
  if (image) throw new Error('TEST_POSTGRES_IMAGE is set, but no Docker engine answers');
  return startEmbedded('embedded');
}

/** Starts PostgreSQL in a container; returns `undefined` if there is no Docker engine. */
async function startContainer(image: string): Promise<TestPostgres | undefined> {
  const { getContainerRuntimeClient } = await import('testcontainers');
  const engine = await getContainerRuntimeClient().catch(() => undefined);
  if (engine === undefined) return undefined;
  const { PostgreSqlContainer } = await import('@testcontainers/postgresql');
  const settings = Object.entries(SETTINGS).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  const container = await new PostgreSqlContainer(image).withCommand(['postgres', ...settings]).start();
  return {
    url: container.getConnectionUri(),
    origin: `testcontainers, image ${image}`,
    stop: async () => void (await container.stop()),
  };
}

/** Rights to create databases and roles, and to write to a database like a replica. */
const rights = (role: string) => [
  `ALTER ROLE ${role} CREATEDB CREATEROLE`,
  `GRANT SET ON PARAMETER session_replication_role TO ${role}`,
];

/** Starts the embedded PostgreSQL in a temporary folder, in memory if possible, which is removed with it. */
async function startEmbedded(origin: string): Promise<TestPostgres> {
  const dataDir = await mkdtemp(join(quickFolder(), 'gatehouse-test-'));
  const removeFolder = () => rm(dataDir, { recursive: true, force: true });
  try {
    const { url, close } = await openWithRights({ dataDir, settings: SETTINGS }, rights);
    return { url, origin, stop: () => close().finally(removeFolder) };
  } catch (error) {
    await removeFolder();
    throw error;
  }
}
