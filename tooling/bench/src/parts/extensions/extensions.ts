import { join } from 'node:path';
import { CONNECTIONS } from '../../load/plan.ts';
import { measureInRounds } from '../../load/rounds.ts';
import type { Effort } from '../../options.ts';
import { openDirectory } from '../../population/directory.ts';
import { createRequest } from '../../population/tokens-in-use.ts';
import { say } from '../../say.ts';
import { startGatehouse } from '../../servers/gatehouse.ts';
import type { Stage } from '../../stage.ts';
import { writeCopies } from './copies.ts';

/** The warm look-up and the start of a server, without extensions and with many. Each pair is of one round. */
export interface ExtensionCost {
  readonly copies: number;
  /** CPU per request, in microseconds. */
  readonly without: readonly number[];
  readonly with: readonly number[];
  readonly startsWithout: readonly Start[];
  readonly startsWith: readonly Start[];
}

/** How long a server takes until it is ready, and the CPU time of it, in milliseconds. */
export interface Start {
  readonly startMs: number;
  readonly cpuMs: number;
}

const COPIES = 20;
const STORED = 1_000;
const ROUNDS = 30;
const STARTS = 10;
/** The turns of each server in a round: the shorter they are, the more alike is what the machine does beside them. */
const TURNS_OF_ROUND = 6;

/** Measures what extensions cost that a request does not ask. */
export async function extend(stage: Stage, { rounds, seconds, stored }: Effort): Promise<ExtensionCost> {
  await using resources = new AsyncDisposableStack();
  const directory = resources.use(await openDirectory(stage, 'extensions', Math.min(STORED, ...stored)));
  const requests = await stage.writeRequests('extensions', [await createRequest(directory, 'Warm')]);
  const turns = rounds < 5 ? rounds : ROUNDS;

  const copies = await writeCopies(join(stage.folder, 'copies'), COPIES);
  const settings = [copies(0), copies(COPIES)];
  const starts: readonly [Start[], Start[]] = [[], []];
  for (let turn = 0; turn <= Math.min(turns, STARTS); turn += 1) {
    say(turn === 0 ? 'first starts' : `start ${turn} of ${Math.min(turns, STARTS)}`);
    for (const [index, each] of settings.entries()) {
      await using server = await startGatehouse(directory, each);
      const cpuMs = server.usage().cpuSeconds * 1000;
      // The first ones compile the sources.
      if (turn > 0) starts[index]?.push({ startMs: server.startMs, cpuMs });
    }
  }

  const turnSeconds = seconds / TURNS_OF_ROUND;
  const plan = () =>
    ({ requests, pick: 'in-order', connections: CONNECTIONS, seconds: turnSeconds }) as const;
  const entrants = [];
  for (const each of settings) {
    entrants.push({ server: resources.use(await startGatehouse(directory, each)), plan });
  }
  const measured = await measureInRounds(entrants, turns * TURNS_OF_ROUND, stage.cores);
  const [without = [], with_ = []] = measured.map(({ samples }) =>
    ofRounds(samples.map(({ cpuMicroseconds }) => cpuMicroseconds)),
  );
  return {
    copies: COPIES,
    without,
    with: with_,
    startsWithout: starts[0],
    startsWith: starts[1],
  };
}

/** The mean of each round's turns. */
function ofRounds(turns: readonly number[]): readonly number[] {
  return Array.from({ length: turns.length / TURNS_OF_ROUND }, (_, round) => {
    const own = turns.slice(round * TURNS_OF_ROUND, (round + 1) * TURNS_OF_ROUND);
    return own.reduce((total, turn) => total + turn, 0) / own.length;
  });
}
