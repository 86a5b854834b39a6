import { availableParallelism } from 'node:os';
import type { Sample } from '../load/measure.ts';
import { type Entrant, measureInRounds } from '../load/rounds.ts';
import { parseCoreList } from '../machine/cores.ts';
import type { Effort } from '../options.ts';
import type { Directory } from '../population/directory.ts';
import { newTokensEachTurn } from '../population/new-tokens.ts';
import type { SharedDirectories } from '../population/shared-directories.ts';
import { say } from '../say.ts';
import { startGatehouse } from '../servers/gatehouse.ts';
import { startBetterAuth, startPeer } from '../servers/peers.ts';
import type { Stage } from '../stage.ts';

/** A contestant that gets only tokens that were never sent before. */
export interface ColdEntrant {
  readonly who: 'gatehouse' | 'fastify' | 'better-auth';
  /** The number of stored tokens and organizations besides those in use; undefined if it has its own database. */
  readonly stored?: number;
  /** The number of workers. If there are several, they share all cores with the load generator. */
  readonly workers: number;
}

export interface ColdResult extends ColdEntrant {
  readonly samples: readonly Sample[];
}

export interface Cold {
  readonly results: readonly ColdResult[];
  readonly cores: number;
  /** The numbers of workers that were not measured, because they exceed the cores. */
  readonly tooMany: readonly number[];
}

const WORKERS = [2, 4];

/**
 * Measures tokens that are used once, with ever more stored, beside a hand-written service that gets tokens of its own,
 * each once. Better Auth keeps nothing between requests, so it gets the same token each time.
 */
export async function measureCold(
  stage: Stage,
  effort: Effort,
  directories: SharedDirectories,
): Promise<Cold> {
  await using resources = new AsyncDisposableStack();
  const all = stage.cores?.all;
  const cores = all === undefined ? availableParallelism() : parseCoreList(all).length;

  async function gatehouse(directory: Directory, workers: number): Promise<ColdEntrant & Entrant> {
    const { organizations: stored } = directory;
    say(`tokens for ${workers} of ours, ${stored} stored`);
    const plan = await newTokensEachTurn(directory, effort, `cold-${stored}-${workers}`);
    const own = stage.cores && workers > 1 ? { ...stage.cores, load: stage.cores.all } : stage.cores;
    const started = startGatehouse(directory, { WORKERS: `${workers}` }, workers > 1 ? all : own?.server);
    return { who: 'gatehouse', stored, workers, server: resources.use(await started), plan, cores: own };
  }

  async function fastify(directory: Directory): Promise<ColdEntrant & Entrant> {
    const { organizations: stored, url } = directory;
    say(`tokens for the hand-written service, ${stored} stored`);
    const plan = await newTokensEachTurn(directory, effort, `by-hand-${stored}`, 'jwt');
    const server = resources.use(await startPeer(stage, 'fastify-by-hand', { DATABASE_URL: url }));
    return { who: 'fastify', stored, workers: 1, server, plan };
  }

  const entrants: (ColdEntrant & Entrant)[] = [];
  for (const stored of effort.stored) {
    say(`storing ${stored} tokens and organizations`);
    const directory = await directories.holding(stored);
    entrants.push(await gatehouse(directory, 1), await fastify(directory));
  }
  const largest = await directories.holding(effort.stored.at(-1) as number);
  for (const workers of WORKERS.filter((count) => count <= cores)) {
    entrants.push(await gatehouse(largest, workers));
  }
  const betterAuth = await startBetterAuth(stage, 'better_auth_cold', effort.seconds);
  resources.use(betterAuth.server);
  entrants.push({ who: 'better-auth', workers: 1, ...betterAuth });

  const results = await measureInRounds(entrants, effort.rounds, stage.cores);
  return { results, cores, tooMany: WORKERS.filter((workers) => workers > cores) };
}
