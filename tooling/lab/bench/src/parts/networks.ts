import { join } from 'node:path';
import { sabotage } from '@gatehouse/faults/sabotage';
import { CONNECTIONS } from '../load/plan.ts';
import { type Contender, measureSideBySide, type ServerCost, TIMES } from '../load/side-by-side.ts';
import type { Effort } from '../options.ts';
import { openDirectory } from '../population/directory.ts';
import { createRequest } from '../population/tokens-in-use.ts';
import { say } from '../say.ts';
import { type Stage, withClient } from '../stage.ts';

/** Servers that ran side by side, each time anew. */
export interface NetworkCost {
  /** The number of networks in the list. */
  readonly networks: number;
  /** A server that decides nothing by networks. */
  readonly before: readonly ServerCost[];
  /** Our server, and a token without networks. */
  readonly without: readonly ServerCost[];
  /** Our server, and a token with the longest list. */
  readonly with: readonly ServerCost[];
}

const STORED = 1_000;
/** The longest list. The last network is that of the client, so all are compared. */
const LIST = [...Array.from({ length: 31 }, (_, index) => `10.${index}.0.0/16`), '127.0.0.0/8'];

const DECIDES = {
  file: '/domain/src/tokens/authentication/authenticate-token.ts',
  find: "const caller = found.kind === 'user' ? fromClient(found, client) : found;",
};

/** Measures the cost of networks for the known look-up: of a token without networks, and of one with many. */
export async function limitNetworks(stage: Stage, { rounds, seconds, stored }: Effort): Promise<NetworkCost> {
  await using directory = await openDirectory(stage, 'networks', Math.min(STORED, ...stored));
  const requestsOf = async (name: string) =>
    stage.writeRequests(`networks-${name}`, [await createRequest(directory, name)]);
  const [plain, limited] = [await requestsOf('Warm'), await requestsOf('Limited')];
  await withClient(directory.url, (client) =>
    client.query("update tokens set networks = $1, networks_mode = 'enforced' where name like 'Limited %'", [
      LIST,
    ]),
  );
  // The first load is longer, because V8 compiles the code meanwhile.
  const contender = (requests: string, edited: string): Contender => ({
    // Each server loads its sources in the same way, with a cache of its own.
    settings: {
      ...sabotage({ ...DECIDES, replace: edited }),
      NODE_COMPILE_CACHE: join(stage.folder, edited === DECIDES.find ? 'compiled' : 'compiled-before'),
    },
    plan: (turn) => ({
      requests,
      pick: 'in-order',
      connections: CONNECTIONS,
      seconds: turn === 0 ? 1.5 * seconds : 0.5 * seconds,
    }),
  });
  const contenders = [
    contender(plain, 'const caller = found;'),
    contender(plain, DECIDES.find),
    contender(limited, DECIDES.find),
  ];

  const times = rounds < 5 ? rounds : TIMES;
  const measured: (readonly ServerCost[])[] = [];
  for (let time = 1; time <= times; time += 1) {
    say(`= time ${time} of ${times}`);
    measured.push(await measureSideBySide(directory, contenders, stage.cores));
  }
  const side = (index: number) => measured.map((servers) => servers[index] as ServerCost);
  return { networks: LIST.length, before: side(0), without: side(1), with: side(2) };
}
