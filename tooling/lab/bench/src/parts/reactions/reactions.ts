import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { sabotage } from '@gatehouse/faults/sabotage';
import { measure, type Sample } from '../../load/measure.ts';
import { CONNECTIONS } from '../../load/plan.ts';
import type { Effort } from '../../options.ts';
import { type Directory, openDirectory } from '../../population/directory.ts';
import { createRequest } from '../../population/tokens-in-use.ts';
import { say } from '../../say.ts';
import { startGatehouse } from '../../servers/gatehouse.ts';
import type { Stage } from '../../stage.ts';
import { writeSteadily } from './steady-events.ts';

/** Look-ups of one server, in rounds without events and with them. */
export interface ReactionCost {
  readonly perMinute: number;
  readonly roundSeconds: number;
  readonly quiet: readonly Sample[];
  readonly busy: readonly Sample[];
  readonly written: number;
  readonly delivered: number;
}

const PER_MINUTE = 10_000;
const STORED = 1_000;
const ACCOUNTS = 20;
/** Audit events are sealed every ten seconds, and delivered then: a round has one such burst. */
const ROUND_SECONDS = 10;
const MAX_ROUNDS = 9;
const DELIVERED_WITHIN_MS = 60_000;

const MODULE = new URL('posting-reaction.ts', import.meta.url).href;
const LOOP = 'server/src/reactions/start-reactions.ts';
const REGISTERED = [
  {
    file: LOOP,
    find: 'export function startReactions(',
    replace: `import { postingReaction } from '${MODULE}';\nexport function startReactions(`,
  },
  { file: LOOP, find: 'reactions.map(', replace: '[...reactions, postingReaction].map(' },
];

/** Measures known look-ups while a reaction of the same server delivers events, and while it has nothing to do. */
export async function deliver(stage: Stage, { rounds, seconds, stored }: Effort): Promise<ReactionCost> {
  await using resources = new AsyncDisposableStack();
  const directory = resources.use(await openDirectory(stage, 'reactions', Math.min(STORED, ...stored)));
  const requests = await stage.writeRequests('reactions', [await createRequest(directory, 'Warm')]);
  const receiver = resources.use(await openReceiver());
  const settings = { ...sabotage(...REGISTERED), RECEIVER_URL: receiver.url };
  const server = resources.use(await startGatehouse(directory, settings));
  await untilRegistered(directory);

  const roundSeconds = ROUND_SECONDS * seconds;
  const load = { requests, pick: 'in-order', connections: CONNECTIONS } as const;
  const samples = { quiet: [] as Sample[], busy: [] as Sample[] };
  let written = 0;
  await measure(server, { ...load, seconds: 2 * seconds }, stage.cores);
  const count = Math.min(rounds, MAX_ROUNDS);
  for (let round = 1; round <= count; round += 1) {
    say(`round ${round} of ${count}`);
    samples.quiet.push(await measure(server, { ...load, seconds: roundSeconds }, stage.cores));
    const stop = writeSteadily({ url: directory.url, perMinute: PER_MINUTE, accounts: ACCOUNTS });
    // The first events are sealed by then.
    await delay(roundSeconds * 1000);
    samples.busy.push(await measure(server, { ...load, seconds: roundSeconds }, stage.cores));
    written += await stop();
    await receiver.until(written);
  }
  return { perMinute: PER_MINUTE, roundSeconds, ...samples, written, delivered: receiver.count() };
}

async function untilRegistered({ store }: Directory): Promise<void> {
  const isThere = async () => (await store.ports.reactions.list()).some(({ name }) => name === 'posting');
  while (!(await isThere())) await delay(50);
}

/** A process that takes everything at once, and counts it. */
async function openReceiver() {
  let count = 0;
  const server = createServer((request, response) => {
    request.resume().on('end', () => {
      count += 1;
      response.end();
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/`,
    count: () => count,
    async until(wanted: number): Promise<void> {
      const since = performance.now();
      while (count < wanted) {
        if (performance.now() - since > DELIVERED_WITHIN_MS) throw new Error(`${count} of ${wanted} arrived`);
        await delay(50);
      }
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
