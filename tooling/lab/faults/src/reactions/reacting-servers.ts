import type { Edit } from '@gatehouse/mutations';
import { startNodes } from '../failover/start-nodes.ts';
import type { ServerNode, Settings } from '../stage/node.ts';
import { sabotage } from '../stage/sabotage.ts';
import { openInstallation } from '../stage/store.ts';
import { until } from '../stage/until.ts';
import { openReceiver, type Receiver, type ReceiverOptions } from './receiver.ts';

const RECORDER = new URL('recorder.ts', import.meta.url).href;
const LOOP = 'server/src/reactions/start-reactions.ts';
const RUN = 'domain/src/reactions/run-reaction.ts';

/** Adds the recorder, and makes the times ten times shorter, so that there are more failures in less time. */
const RECORDING: readonly Edit[] = [
  {
    file: LOOP,
    find: 'export function startReactions(',
    replace: `import { recorder } from '${RECORDER}';\nexport function startReactions(`,
  },
  { file: LOOP, find: 'reactions.map(', replace: '[...reactions, recorder].map(' },
  { file: LOOP, find: 'idle: 1_000, not_held: 5_000', replace: 'idle: 100, not_held: 500' },
  { file: RUN, find: 'LEASE_MS = 30_000', replace: 'LEASE_MS = 3_000' },
  { file: RUN, find: 'RENEWAL_MS = 10_000', replace: 'RENEWAL_MS = 1_000' },
  { file: RUN, find: 'MARGIN_MS = 5_000', replace: 'MARGIN_MS = 500' },
  { file: 'start/housekeeping.ts', find: 'SEALING_MS = 10_000', replace: 'SEALING_MS = 500' },
  { file: 'start/housekeeping.ts', find: 'RETRY_MS = 60_000', replace: 'RETRY_MS = 3_000' },
];

/** Two servers that run the recorder, and what it writes into. */
export interface ReactingServers extends AsyncDisposable {
  readonly receiver: Receiver;
  readonly nodes: readonly ServerNode[];
  /** Starts a server in place of the one with this process id. */
  replace(pid: number): Promise<void>;
  /** Stops one server after the other as a rolling restart does. */
  restartAll(): Promise<void>;
}

interface Options extends ReceiverOptions {
  readonly settings: Settings;
  /** Further edits of the servers, for a sabotage twin. */
  readonly edits?: readonly Edit[] | undefined;
}

export async function startReactingServers({
  settings,
  edits = [],
  ...options
}: Options): Promise<ReactingServers> {
  await using ending = new AsyncDisposableStack();
  const receiver = ending.use(await openReceiver(options));
  const all = { ...settings, ...sabotage(...RECORDING, ...edits), RECEIVER_URL: receiver.url };
  let nodes = await startNodes(2, all);
  ending.defer(async () => {
    for (const node of nodes) await node[Symbol.asyncDispose]();
  });
  // A new reaction begins with what is sealed after its registration.
  await using store = openInstallation(settings);
  await until('the recorder is registered', async () =>
    (await store.ports.reactions.list()).some(({ name }) => name === 'recorder'),
  );

  async function startInPlaceOf(former: ServerNode): Promise<void> {
    const [node] = await startNodes(1, all);
    nodes = nodes.map((each) => (each === former && node ? node : each));
  }

  const kept = ending.move();
  return {
    receiver,
    get nodes() {
      return nodes;
    },
    async replace(pid) {
      const former = nodes.find(({ process }) => process.pid === pid);
      if (!former) throw new Error(`there is no server ${pid}`);
      await former.ended;
      await startInPlaceOf(former);
    },
    async restartAll() {
      for (const node of nodes) {
        node.process.kill('SIGTERM');
        await node.ended;
        await startInPlaceOf(node);
      }
    },
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  };
}
