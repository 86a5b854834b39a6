import { setTimeout as delay } from 'node:timers/promises';
import type { Cluster } from './cluster.ts';
import { EmbeddedPostgresError } from './embedded-postgres-error.ts';
import { findPostmaster } from './postmaster-file.ts';
import { isAlive } from './processes.ts';

const POLL_MS = 5;
const STOP_MS = 10_000;
/**
 * The longest wait for the process id to disappear, in milliseconds. If no init process reaps orphans, the process id
 * never disappears.
 */
const REAPED_MS = 500;

/** Stops the server, closes its remaining connections, and waits until it has exited. */
export async function stopPostmaster({ paths }: Cluster): Promise<void> {
  const postmaster = await findPostmaster(paths);
  if (postmaster === undefined) return;
  process.kill(postmaster.pid, 'SIGINT');
  const stopped = await until(async () => (await findPostmaster(paths))?.pid !== postmaster.pid, STOP_MS);
  if (!stopped)
    throw new EmbeddedPostgresError(
      `PostgreSQL did not stop within ${STOP_MS / 1000} s; see its log, ${paths.log}`,
    );
  await until(async () => !isAlive(postmaster.pid), REAPED_MS);
}

async function until(holds: () => Promise<boolean>, limit: number): Promise<boolean> {
  const deadline = performance.now() + limit;
  while (performance.now() < deadline) {
    if (await holds()) return true;
    await delay(POLL_MS);
  }
  return false;
}
