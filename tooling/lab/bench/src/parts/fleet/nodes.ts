// Several nodes in one process. Each has the parts of a server that hear of changes and store uses: a pool, a change
// feed on a connection of its own, and a usage recorder.
import type { TokenId } from '@gatehouse/domain/tokens';
import { createMonotonicClock, createSystemClock } from '@gatehouse/installation';
import { createPostgresChangeFeed, createPostgresUsageRecorder, openDatabase } from '@gatehouse/postgres';
import { steadyTime } from '../revocation/steady-time.ts';
import type { NodesOrder, NodesPlan, NodesReport } from './messages.ts';

const { url, nodes }: NodesPlan = JSON.parse(process.argv[2] ?? '');
/** Uses are spread over the second, so that the recorders of all nodes do not store at the same moment. */
const USE_EVERY_MS = 1_000;

const tell = (report: NodesReport) => process.send?.(report);
const clock = createSystemClock();
let closing = false;
let awaited: TokenId | undefined;
const yetToHear = new Set<number>();
let used: readonly (readonly TokenId[])[] = [];

function heard(node: number): void {
  if (yetToHear.delete(node) && yetToHear.size === 0 && awaited) tell({ heard: awaited, at: steadyTime() });
}

async function openNode(index: number) {
  const database = openDatabase({ url, poolSize: 1 });
  const feed = createPostgresChangeFeed({
    listenUrl: url,
    database,
    maxStalenessMs: 1_000,
    clock,
    monotonicClock: createMonotonicClock(),
    report: (event) => {
      if (event.kind === 'untrusted' && !closing) tell({ lost: event.reason });
    },
  });
  feed.subscribe((change) => {
    // A node drops its caches when its feed is lost.
    if (change.kind === 'everything' || (change.kind === 'token' && change.id === awaited)) heard(index);
  });
  await feed.start();
  const recorder = createPostgresUsageRecorder(database, { report: () => undefined });
  const timer = setInterval(() => {
    for (const id of used[index] ?? []) recorder.used(id, clock.now(), `192.0.2.${index % 250}`);
  }, USE_EVERY_MS);
  return async () => {
    clearInterval(timer);
    // A database that is too busy loses some uses of this measurement, and nothing else.
    await recorder.flush().catch(() => undefined);
    await feed.close();
    await database.close();
  };
}

const closers: (() => Promise<void>)[] = [];
for (let index = 0; index < nodes; index += 1) closers.push(await openNode(index));

process.on('message', (order: NodesOrder) => {
  if ('use' in order) {
    used = order.use;
    return;
  }
  awaited = order.await;
  for (let index = 0; index < nodes; index += 1) yetToHear.add(index);
  tell({ awaiting: order.await });
});
process.on('disconnect', async () => {
  closing = true;
  await Promise.all(closers.map((close) => close()));
});
tell({ ready: true });
