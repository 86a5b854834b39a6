import { resolve } from 'node:path';
import { EmbeddedPostgresError } from './embedded-postgres-error.ts';
import { codeOf } from './files.ts';
import { joinCluster } from './join-cluster.ts';
import { keepRunning } from './keep-running.ts';
import { prepareCluster } from './prepare-cluster.ts';

export interface EmbeddedPostgresOptions {
  /** The data folder, which is created if it does not exist. All files are in its sub-folder `postgres`. */
  readonly dataDir: string;
  /** Settings of PostgreSQL, such as `{ fsync: 'off' }`. They are ignored if the server is already running. */
  readonly settings?: Readonly<Record<string, string>>;
  /** Called with a line for the log when the server has died, when it runs again, and when a restart has failed. */
  readonly onIncident?: (message: string) => void;
}

/** A running PostgreSQL server, which all processes that use the data folder share. */
export interface EmbeddedPostgres extends AsyncDisposable {
  /**
   * The URL of the database, which stays the same until `close`. Its host is the folder of the socket, percent-encoded
   * as in libpq. Its user owns the database and has no other right.
   */
  readonly url: string;
  /**
   * Ends the use of the server. Call this after closing the last connection. The last process that uses the server
   * stops it and waits for its exit.
   */
  close(): Promise<void>;
}

/**
 * Connects to the PostgreSQL server of a data folder, or starts the server. The server listens on a socket in a folder
 * that only its owner may enter, and on no network address. If the server dies before `close`, it is restarted at the
 * same address. If this process is killed before it calls `close`, the server goes on running for the next process.
 *
 * @throws {EmbeddedPostgresError} for any problem of the machine or the data folder
 */
export async function openEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  const { onIncident = () => undefined } = options;
  const { cluster, membership } = await join(options, () => true);
  if (membership === undefined) throw new TypeError('joining returned no server');
  const rejoin = (wanted: () => boolean) => joinCluster(cluster, wanted);
  return opened(membership.url, keepRunning(membership, { rejoin, onIncident }));
}

/**
 * Connects to the PostgreSQL server of a data folder if the server is running; otherwise returns `undefined`. Never
 * starts the server.
 *
 * @throws {EmbeddedPostgresError} like `openEmbeddedPostgres`
 */
export async function joinEmbeddedPostgres(
  options: Pick<EmbeddedPostgresOptions, 'dataDir'>,
): Promise<EmbeddedPostgres | undefined> {
  const { membership } = await join(options, () => false);
  return membership && opened(membership.url, membership.leave);
}

const opened = (url: string, close: () => Promise<void>): EmbeddedPostgres => ({
  url,
  close,
  [Symbol.asyncDispose]: close,
});

async function join({ dataDir, settings = {} }: EmbeddedPostgresOptions, wanted: () => boolean) {
  try {
    const cluster = await prepareCluster(dataDir, settings);
    return { cluster, membership: await joinCluster(cluster, wanted) };
  } catch (error) {
    throw explained(error, resolve(dataDir));
  }
}

const UNUSABLE = new Set(['EACCES', 'EEXIST', 'EISDIR', 'ENOENT', 'ENOSPC', 'ENOTDIR', 'EPERM', 'EROFS']);

function explained(error: unknown, dataDir: string): unknown {
  if (!(error instanceof Error && UNUSABLE.has(String(codeOf(error))))) return error;
  return new EmbeddedPostgresError(`The data folder ${dataDir} cannot be used: ${error.message}`, {
    cause: error,
  });
}
