import { setTimeout as delay } from 'node:timers/promises';
import { ScramClient } from '@gatehouse/scram-client';
import { type Cluster, DATABASE, SUPERUSER } from './cluster.ts';
import { EmbeddedPostgresError } from './embedded-postgres-error.ts';
import { messageOf, readIfThere } from './files.ts';
import { joinPostmaster, LOCK, type Membership, NotJoined } from './membership.ts';
import { findPostmaster, type Postmaster } from './postmaster-file.ts';
import { isSetUp, setUp } from './set-up.ts';
import { startPostmaster } from './start-postmaster.ts';
import { stopPostmaster } from './stop-postmaster.ts';

const RETRY_MS = 25;
/** How long another process may take to start or stop the server. */
const JOIN_TIMEOUT_MS = 10_000;

/**
 * Connects to the running server, or starts a server. Retries while another process starts or stops the server, or
 * while processes of a killed server still run. Returns `undefined` if no server runs and `wanted` returns false.
 */
export async function joinCluster(cluster: Cluster, wanted: () => boolean): Promise<Membership | undefined> {
  let deadline = performance.now() + JOIN_TIMEOUT_MS;
  let obstacle = '';
  let started = false;
  while (performance.now() < deadline) {
    const postmaster = await findPostmaster(cluster.paths);
    const isReady = await isSetUp(cluster.paths);
    if (postmaster === undefined || !isReady) {
      if (!wanted()) return undefined;
      obstacle = postmaster ? await retireOlderServer(cluster, postmaster) : await start(cluster);
      if (obstacle === '') {
        // After the first start by this process, the time limit begins again, because the start may have taken long.
        // Later starts do not extend the limit, so that this function gives up on a server that exits after every
        // start.
        if (!started) deadline = performance.now() + JOIN_TIMEOUT_MS;
        started ||= postmaster === undefined;
        obstacle = 'the PostgreSQL server exits each time it is started';
        continue;
      }
    } else if (postmaster.socketFolder === undefined) {
      obstacle =
        'an older version of Gatehouse has started the PostgreSQL server again: stop the servers and commands of that version';
    } else {
      try {
        return await joinPostmaster(cluster, postmaster.socketFolder);
      } catch (error) {
        if (!(error instanceof NotJoined)) {
          // If this process started the server and cannot log in to it, no other process could log in either to stop
          // the server later. Therefore it is stopped now.
          if (started) await stopPostmaster(cluster);
          throw error;
        }
        obstacle = error.message;
      }
    }
    await delay(RETRY_MS);
  }
  throw new EmbeddedPostgresError(
    `Gatehouse could not connect to the embedded PostgreSQL within ${JOIN_TIMEOUT_MS / 1000} s: ${obstacle} (see its log, ${cluster.paths.log})`,
  );
}

async function start(cluster: Cluster): Promise<string> {
  const occupied = 'another PostgreSQL server on the data folder is starting or stopping';
  if (!(await isSetUp(cluster.paths)) && (await setUp(cluster)) === 'occupied') return occupied;
  return (await startPostmaster(cluster)) === 'occupied' ? occupied : '';
}

/**
 * Stops a server that an older version of Gatehouse started and that no process uses, so that the cluster can be set up
 * again. Returns an empty text if the server was stopped. Otherwise returns why the server still runs; a later attempt
 * may succeed.
 *
 * @throws {EmbeddedPostgresError} if the server was not started by an older version
 */
export async function retireOlderServer(cluster: Cluster, postmaster: Postmaster): Promise<string> {
  const { paths } = cluster;
  const { port, socketFolder } = postmaster;
  if (socketFolder !== undefined) {
    throw new EmbeddedPostgresError(
      `There is no password in ${paths.password} for the running PostgreSQL: stop the servers and commands that use the data folder; the next start creates another password.`,
    );
  }
  const password = await readIfThere(paths.older.password);
  // Without a password, pg would send the password in PGPASSWORD or ~/.pgpass.
  if (!password)
    return `the PostgreSQL server of an older version of Gatehouse is running, and its password is missing in ${paths.older.password}`;
  const target = { host: '127.0.0.1', port, user: SUPERUSER, password, database: DATABASE };
  const client = new ScramClient({ ...target, ssl: false, connectionTimeoutMillis: 2_000 });
  client.on('error', () => undefined);
  try {
    await client.connect();
    const { rows } = await client.query(`SELECT pg_try_advisory_lock(${LOCK}) AS alone`);
    if (rows[0].alone !== true)
      return 'an older version of Gatehouse uses it: stop its servers and commands first';
    await stopPostmaster(cluster);
    return '';
  } catch (error) {
    return `the PostgreSQL server of an older version of Gatehouse does not answer: ${messageOf(error)}`;
  } finally {
    await client.end().catch(() => undefined);
  }
}
