import { CONNECTIONS } from '../../load/plan.ts';
import { measureInRounds } from '../../load/rounds.ts';
import type { Effort } from '../../options.ts';
import { openDirectory } from '../../population/directory.ts';
import { createRequest } from '../../population/tokens-in-use.ts';
import { say } from '../../say.ts';
import { startGatehouse } from '../../servers/gatehouse.ts';
import type { Stage } from '../../stage.ts';

/** The warm look-up and the start of a server, without extensions and with many. Each pair is of one round. */
export interface ExtensionCost {
  readonly copies: number;
  /** CPU per request, in microseconds. */
  readonly without: readonly number[];
  readonly with: readonly number[];
  readonly startsWithoutMs: readonly number[];
  readonly startsWithMs: readonly number[];
}

const COPIES = 20;
const STORED = 1_000;
const ROUNDS = 30;
const HOOK = new URL('copies-hook.ts', import.meta.url).href;
const WITH = { NODE_OPTIONS: `--import=${HOOK}`, COPIES: String(COPIES) };
/** The hook itself takes time to load. */
const WITHOUT = { ...WITH, COPIES: '0' };

/** Measures what extensions cost that a request does not ask. */
export async function extend(stage: Stage, { rounds, seconds, stored }: Effort): Promise<ExtensionCost> {
  await using resources = new AsyncDisposableStack();
  const directory = resources.use(await openDirectory(stage, 'extensions', Math.min(STORED, ...stored)));
  const requests = await stage.writeRequests('extensions', [await createRequest(directory, 'Warm')]);
  const turns = rounds < 5 ? rounds : ROUNDS;

  const startsMs: [number[], number[]] = [[], []];
  for (let turn = 0; turn <= Math.min(turns, 10); turn += 1) {
    say(`start ${turn}`);
    for (const [index, settings] of [WITHOUT, WITH].entries()) {
      await using server = await startGatehouse(directory, settings);
      // The first ones compile the sources.
      if (turn > 0) startsMs[index]?.push(server.startMs);
    }
  }

  const plan = () => ({ requests, pick: 'in-order', connections: CONNECTIONS, seconds }) as const;
  const [none, many] = [
    resources.use(await startGatehouse(directory, WITHOUT)),
    resources.use(await startGatehouse(directory, WITH)),
  ];
  const measured = await measureInRounds(
    [none, many].map((server) => ({ server, plan })),
    turns,
    stage.cores,
  );
  const [without = [], with_ = []] = measured.map(({ samples }) =>
    samples.map(({ cpuMicroseconds }) => cpuMicroseconds),
  );
  return {
    copies: COPIES,
    without,
    with: with_,
    startsWithoutMs: startsMs[0],
    startsWithMs: startsMs[1],
  };
}
