import { join } from 'node:path';
import { CONNECTIONS } from '../../load/plan.ts';
import { measureSideBySide, type ServerCost, TIMES } from '../../load/side-by-side.ts';
import type { Effort } from '../../options.ts';
import { openDirectory } from '../../population/directory.ts';
import { createRequest } from '../../population/tokens-in-use.ts';
import { say } from '../../say.ts';
import { startGatehouse } from '../../servers/gatehouse.ts';
import type { Stage } from '../../stage.ts';
import { writeCopies } from './copies.ts';

/** Servers without extensions and with many, in pairs that ran side by side. */
export interface ExtensionCost {
  readonly copies: number;
  readonly without: readonly ServerCost[];
  readonly with: readonly ServerCost[];
}

const COPIES = 20;
const STORED = 1_000;

/** Measures the cost of extensions for requests that do not use them. */
export async function extend(stage: Stage, { rounds, seconds, stored }: Effort): Promise<ExtensionCost> {
  await using directory = await openDirectory(stage, 'extensions', Math.min(STORED, ...stored));
  const requests = await stage.writeRequests('extensions', [await createRequest(directory, 'Warm')]);
  const copies = await writeCopies(join(stage.folder, 'copies'), COPIES);
  const settings = [copies(0), copies(COPIES)];
  const load = { requests, pick: 'in-order', connections: CONNECTIONS } as const;
  // The first load is longer, because V8 compiles the code meanwhile.
  const plan = (turn: number) => ({ ...load, seconds: turn === 0 ? 1.5 * seconds : 0.5 * seconds });

  say('first starts');
  for (const each of settings) {
    // Compiles the sources.
    await using _server = await startGatehouse(directory, each);
  }
  const pairs = rounds < 5 ? rounds : TIMES;
  const contenders = settings.map((each) => ({ settings: each, plan }));
  const measured: (readonly ServerCost[])[] = [];
  for (let pair = 1; pair <= pairs; pair += 1) {
    say(`= pair ${pair} of ${pairs}`);
    measured.push(await measureSideBySide(directory, contenders, stage.cores));
  }
  const side = (index: number) => measured.map((pair) => pair[index] as ServerCost);
  return { copies: COPIES, without: side(0), with: side(1) };
}
