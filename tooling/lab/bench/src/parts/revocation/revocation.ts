import { Agent } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { startLoad } from '../../load/start-load.ts';
import type { Effort } from '../../options.ts';
import { emailOf, openDirectory } from '../../population/directory.ts';
import { createTokensInUse } from '../../population/tokens-in-use.ts';
import { say } from '../../say.ts';
import { startGatehouse } from '../../servers/gatehouse.ts';
import type { Stage } from '../../stage.ts';
import { startRevoker } from './start-revoker.ts';
import { watchToken } from './watch-token.ts';

export interface Revocation {
  readonly nodes: number;
  readonly ratePerNode: number;
  /** For each revocation, the time from its acknowledgement to the arrival of the last 200; 0 if that came before. */
  readonly delaysMs: readonly number[];
}

const NODES = 2;
const BACKGROUND_TOKENS = 200;
const LOAD = { connections: 10, rate: 500 } as const;
const WARM_UP_MS = 2_000;

/** Revokes tokens in use on all nodes, one after the other, and measures how long they are accepted. */
export async function revoke(stage: Stage, { revocations }: Effort): Promise<Revocation> {
  await using resources = new AsyncDisposableStack();
  const directory = resources.use(await openDirectory(stage, 'revocation', 1_000));
  const tokens = await createTokensInUse(directory, BACKGROUND_TOKENS + revocations, 'Revocation');
  const requests = await stage.writeRequests(
    'background',
    tokens.slice(0, BACKGROUND_TOKENS).map(({ request }) => request),
  );

  const urls: string[] = [];
  for (let node = 0; node < NODES; node++) {
    const server = resources.use(await startGatehouse(directory, {}, stage.cores?.all));
    urls.push(server.announcement.url);
  }
  const loads = urls.map((url) =>
    startLoad({ ...LOAD, url, requests, pick: 'uniform', seconds: 3_600 }, stage.cores?.all),
  );
  // A failed load ends the run, because the measurement would mean something else without it.
  const loaded = Promise.all(loads.map(({ result }) => result));
  resources.defer(async () => {
    for (const load of loads) load.stop();
    await loaded.catch(() => undefined);
  });
  await Promise.race([delay(WARM_UP_MS), loaded]);

  const revoker = resources.use(startRevoker(directory));
  const agent = new Agent({ keepAlive: true });
  resources.defer(() => agent.destroy());
  const delaysMs: number[] = [];
  for (const { id, userId, request } of tokens.slice(BACKGROUND_TOKENS)) {
    const watch = watchToken(urls, request, agent);
    const measured = async () => {
      await watch.accepted;
      const { at } = await revoker.revoke({ id, email: emailOf(userId) });
      return Math.max(0, (await watch.lastAcceptance) - at);
    };
    const delayMs = await Promise.race([measured(), loaded]);
    if (typeof delayMs !== 'number') throw new Error('the load ended too early');
    delaysMs.push(delayMs);
    if (delaysMs.length % 100 === 0) say(`${delaysMs.length} of ${revocations} revocations`);
  }
  return { nodes: NODES, ratePerNode: LOAD.rate, delaysMs };
}
