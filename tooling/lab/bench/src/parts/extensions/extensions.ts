import { join } from 'node:path';
import { CONNECTIONS } from '../../load/plan.ts';
import { measureInRounds } from '../../load/rounds.ts';
import type { Cores } from '../../machine/cores.ts';
import type { Effort } from '../../options.ts';
import { type Directory, openDirectory } from '../../population/directory.ts';
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

export interface ServerCost {
  /** How long the server took until it was ready, and the CPU time that it used, in milliseconds. */
  readonly startMs: number;
  readonly startCpuMs: number;
  /** CPU per request of the warm look-up, in microseconds. */
  readonly requestMicroseconds: number;
}

const COPIES = 20;
const STORED = 1_000;
const PAIRS = 30;
/** The loads on each server of a pair. They are short, so other work of the machine affects both servers alike. */
const TURNS = 6;

/**
 * Measures the cost of extensions for requests that do not use them. Two servers that run the same code differ by some
 * percent for as long as they run, because their code was compiled and their heaps grew differently. So each pair is
 * started again and counts once: the interval includes this difference, and it averages out.
 */
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
  const pairs = rounds < 5 ? rounds : PAIRS;
  const measured: (readonly ServerCost[])[] = [];
  for (let pair = 1; pair <= pairs; pair += 1) {
    say(`= pair ${pair} of ${pairs}`);
    measured.push(await measurePair(directory, settings, plan, stage.cores));
  }
  const side = (index: number) => measured.map((pair) => pair[index] as ServerCost);
  return { copies: COPIES, without: side(0), with: side(1) };
}

async function measurePair(
  directory: Directory,
  settings: readonly Readonly<Record<string, string>>[],
  plan: Parameters<typeof measureInRounds>[0][number]['plan'],
  cores: Cores | undefined,
): Promise<readonly ServerCost[]> {
  await using servers = new AsyncDisposableStack();
  const entrants = [];
  for (const each of settings) {
    const server = servers.use(await startGatehouse(directory, each));
    entrants.push({ server, plan, startCpuMs: server.usage().cpuSeconds * 1000 });
  }
  const measured = await measureInRounds(entrants, TURNS, cores);
  return measured.map(({ server: { startMs }, startCpuMs, samples }) => {
    const total = samples.reduce((sum, { cpuMicroseconds }) => sum + cpuMicroseconds, 0);
    return { startMs, startCpuMs, requestMicroseconds: total / samples.length };
  });
}
