import { setTimeout as delay } from 'node:timers/promises';
import type { Cluster } from './cluster.ts';
import { EmbeddedPostgresError } from './embedded-postgres-error.ts';
import { joinPostmaster, type Membership, NotJoined } from './membership.ts';
import { freePort, readPort, writePort } from './port.ts';
import { findPostmaster } from './postmaster-file.ts';
import { startPostmaster } from './start-postmaster.ts';

const RETRY_MS = 25;
/** Someone else's starting or stopping takes at most this long. */
const PATIENCE_MS = 10_000;

/**
 * Joins the running server, or starts one, and goes round again for as long as that is disturbed: by another
 * user's starting or stopping, or by what a killed server left behind. Answers `undefined` if no server runs and
 * none is `wanted` any more.
 */
export async function joinCluster(
  cluster: Cluster,
  { mayMove, wanted = () => true }: { readonly mayMove: boolean; readonly wanted?: () => boolean },
): Promise<Membership | undefined> {
  const deadline = performance.now() + PATIENCE_MS;
  let obstacle = '';
  while (performance.now() < deadline) {
    const postmaster = await findPostmaster(cluster.paths);
    if (postmaster === undefined) {
      if (!wanted()) return undefined;
      obstacle = await start(cluster, mayMove);
      if (obstacle === '') continue;
    } else {
      try {
        return await joinPostmaster(cluster, postmaster.port);
      } catch (error) {
        if (!(error instanceof NotJoined)) throw error;
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

/** Starts a server on the port that the cluster had before; `mayMove` allows another if that is taken. */
async function start(cluster: Cluster, mayMove: boolean): Promise<string> {
  const port = await readPort(cluster.paths);
  const outcome = await startPostmaster(cluster, port);
  if (outcome === 'port_taken') {
    if (mayMove) await writePort(cluster.paths, await freePort());
    return `port ${port} is taken`;
  }
  return outcome === 'started' ? '' : 'another server is starting or not wholly gone';
}
