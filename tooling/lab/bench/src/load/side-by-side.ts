import type { Cores } from '../machine/cores.ts';
import type { Directory } from '../population/directory.ts';
import { startGatehouse } from '../servers/gatehouse.ts';
import type { LoadPlan } from './plan.ts';
import { measureInRounds } from './rounds.ts';

/** The figures of one of the servers that ran side by side. */
export interface ServerCost {
  /** How long the server took until it was ready, and the CPU time that it used, in milliseconds. */
  readonly startMs: number;
  readonly startCpuMs: number;
  /** CPU per request, in microseconds. */
  readonly requestMicroseconds: number;
}

/** A server to start, with its load. */
export interface Contender {
  readonly settings: Readonly<Record<string, string>>;
  /** Returns the n-th load; the first is the warm-up. */
  plan(turn: number): Omit<LoadPlan, 'url'>;
}

/**
 * How many times servers are started side by side. Two servers that run the same code differ by some percent for as
 * long as they run, because their code was compiled and their heaps grew differently. So they are started again each
 * time, and each time counts once: the interval includes this difference, and it averages out.
 */
export const TIMES = 30;

/** The loads on each server. They are short, so other work of the machine affects all servers alike. */
const TURNS = 6;

/** Starts the servers, and loads them by turns. */
export async function measureSideBySide(
  directory: Directory,
  contenders: readonly Contender[],
  cores: Cores | undefined,
): Promise<readonly ServerCost[]> {
  await using servers = new AsyncDisposableStack();
  const entrants = [];
  for (const { settings, plan } of contenders) {
    const server = servers.use(await startGatehouse(directory, settings));
    entrants.push({ server, plan, startCpuMs: server.usage().cpuSeconds * 1000 });
  }
  const measured = await measureInRounds(entrants, TURNS, cores);
  return measured.map(({ server: { startMs }, startCpuMs, samples }) => {
    const total = samples.reduce((sum, { cpuMicroseconds }) => sum + cpuMicroseconds, 0);
    return { startMs, startCpuMs, requestMicroseconds: total / samples.length };
  });
}
