import { setTimeout as delay } from 'node:timers/promises';
import type { Cluster } from './cluster.ts';
import { EmbeddedPostgresError } from './embedded-postgres-error.ts';
import { joinPostmaster, type Membership, NotJoined } from './membership.ts';
import { findPostmaster } from './postmaster-file.ts';
import { retireOlderServer } from './retire-older-server.ts';
import { isSetUp, setUp } from './set-up.ts';
import { startPostmaster } from './start-postmaster.ts';
import { stopPostmaster } from './stop-postmaster.ts';

const RETRY_MS = 25;
/** Someone else's starting or stopping takes at most this long. */
const PATIENCE_MS = 10_000;

/**
 * Joins the running server, or starts one, and goes round again for as long as that is disturbed: by another
 * user's starting or stopping, or by what a killed server left behind. Answers `undefined` if no server runs that
 * can be joined and none is `wanted` any more.
 */
export async function joinCluster(
  cluster: Cluster,
  wanted: () => boolean = () => true,
): Promise<Membership | undefined> {
  let deadline = performance.now() + PATIENCE_MS;
  let obstacle = '';
  let started = false;
  while (performance.now() < deadline) {
    const postmaster = await findPostmaster(cluster.paths);
    const isReady = await isSetUp(cluster.paths);
    if (postmaster === undefined || !isReady) {
      if (!wanted()) return undefined;
      obstacle = postmaster ? await retireOlderServer(cluster, postmaster) : await start(cluster);
      if (obstacle === '') {
        // What this process did itself may take longer. A server that ends as often as it is started is given up.
        if (!started) deadline = performance.now() + PATIENCE_MS;
        started ||= postmaster === undefined;
        obstacle = 'the server ends after each start';
        continue;
      }
    } else if (postmaster.socketFolder === undefined) {
      obstacle = 'an older version of Gatehouse started it again';
    } else {
      try {
        return await joinPostmaster(cluster, postmaster.socketFolder);
      } catch (error) {
        if (!(error instanceof NotJoined)) {
          // No program can log in to stop it later.
          if (started) await stopPostmaster(cluster);
          throw error;
        }
        obstacle = error.message;
      }
    }
    await delay(RETRY_MS);
  }
  throw new EmbeddedPostgresError(
    'timeout',
    `The embedded PostgreSQL could not be joined within ${PATIENCE_MS / 1000} s: ${obstacle} (its log is ${cluster.paths.log})`,
  );
}

async function start(cluster: Cluster): Promise<string> {
  const occupied = 'another server is starting or not wholly gone';
  if (!(await isSetUp(cluster.paths)) && (await setUp(cluster)) === 'occupied') return occupied;
  return (await startPostmaster(cluster)) === 'occupied' ? occupied : '';
}
