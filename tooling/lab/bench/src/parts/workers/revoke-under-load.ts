import { Agent } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import type { LoadPlan } from '../../load/plan.ts';
import { startLoad } from '../../load/start-load.ts';
import { type Directory, emailOf } from '../../population/directory.ts';
import { createTokensInUse } from '../../population/tokens-in-use.ts';
import { say } from '../../say.ts';
import { startBundledGatehouse } from '../../servers/gatehouse.ts';
import { startRevoker } from '../revocation/start-revoker.ts';
import { watchToken } from '../revocation/watch-token.ts';
import { takePlace } from './place.ts';

/** Revocations on a server that answers as many requests as it can. */
export interface UnderLoad {
  readonly workers: number;
  /** The other requests that the server answered meanwhile. */
  readonly requestsPerSecond: number;
  /** For each revocation, the time from its acknowledgement to the arrival of the last 200; 0 if that came before. */
  readonly delaysMs: readonly number[];
}

const WARM_UP_MS = 2_000;
/**
 * How many times the URL is watched for each worker, with three connections each time. The system chooses the worker of a
 * connection, so fewer connections could leave out a worker.
 */
const WATCHED_PER_WORKER = 2;

/** Revokes tokens one after the other, each while every worker receives requests with it, and many others. */
export async function revokeUnderLoad(
  directory: Directory,
  workers: number,
  load: Omit<LoadPlan, 'url'>,
  revocations: number,
): Promise<UnderLoad> {
  say(`revoking ${revocations} tokens, ${workers} workers`);
  await using resources = new AsyncDisposableStack();
  const tokens = await createTokensInUse(directory, revocations, 'Revoked under load');
  const place = await takePlace(workers, directory.stage.cores, directory);
  const server = resources.use(
    await startBundledGatehouse(directory, { WORKERS: `${workers}` }, place.server),
  );
  const { url } = server.announcement;
  const loads = place.load.map((core) =>
    startLoad({ ...load, url, seconds: 3_600 }, core === undefined ? undefined : `${core}`),
  );
  // A failed load ends the run, because the measurement would mean something else without it.
  const loaded = Promise.all(loads.map(({ result }) => result));
  loaded.catch(() => undefined);
  resources.defer(async () => {
    for (const each of loads) each.stop();
    await loaded.catch(() => undefined);
  });
  await Promise.race([delay(WARM_UP_MS), loaded]);

  const revoker = resources.use(startRevoker(directory));
  const agent = new Agent({ keepAlive: true });
  resources.defer(() => agent.destroy());
  const urls = Array.from({ length: workers * WATCHED_PER_WORKER }, () => url);
  const delaysMs: number[] = [];
  for (const { id, userId, request } of tokens) {
    const watch = watchToken(urls, request, agent);
    await Promise.race([watch.accepted, loaded]);
    const { at } = await revoker.revoke({ id, email: emailOf(userId) });
    delaysMs.push(Math.max(0, (await watch.lastAcceptance) - at));
  }
  for (const each of loads) each.stop();
  const results = await loaded;
  const requestsPerSecond = results.reduce((sum, { answered, seconds }) => sum + answered / seconds, 0);
  return { workers, requestsPerSecond, delaysMs };
}
