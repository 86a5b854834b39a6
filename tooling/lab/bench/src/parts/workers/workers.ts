import { measure, type Sample } from '../../load/measure.ts';
import type { LoadRequest } from '../../load/plan.ts';
import { measureBySeveral } from '../../load/several-loads.ts';
import { pinProcess } from '../../machine/cores.ts';
import type { Effort } from '../../options.ts';
import { type Directory, openDirectory } from '../../population/directory.ts';
import { newTokensEachTurn } from '../../population/new-tokens.ts';
import { SIGN_IN_SETTINGS, signInRequests } from '../../population/sign-in-requests.ts';
import { createRequest } from '../../population/tokens-in-use.ts';
import { say } from '../../say.ts';
import { startBundledGatehouse } from '../../servers/gatehouse.ts';
import { startPeerOn } from '../../servers/peers.ts';
import type { ServerProcess } from '../../servers/server-process.ts';
import type { Stage } from '../../stage.ts';
import { coresOf, type Place, takePlace } from './place.ts';
import { revokeUnderLoad, type UnderLoad } from './revoke-under-load.ts';

/** A server with a number of workers. */
export interface WorkersRow {
  readonly workers: number;
  /** Whether the server shared all cores with the load and the database. */
  readonly isShared: boolean;
  readonly bare: readonly Sample[];
  readonly known: readonly Sample[];
  /** The memory of all processes after the requests with the known token, and after the sign-ins. */
  readonly memoryBytes: number;
  readonly memoryAfterSignInsBytes: number;
  /** Tokens that the server sees for the first time, over 32 connections. */
  readonly neverSeen: readonly Sample[];
  readonly signIns: readonly Sample[];
  /** The threads that hashed passwords, in all processes. */
  readonly hashingThreads: number;
}

export interface WorkersGrowth {
  readonly rows: readonly WorkersRow[];
  readonly cores: number;
  /** The numbers of workers that were not measured, because they exceed the cores. */
  readonly tooMany: readonly number[];
  /** With the greatest number of workers. */
  readonly revocation: UnderLoad;
}

const USERS = 100;
/** The connections of each process of the load generator. */
const CONNECTIONS = 64;
/** Enough to keep all hashing threads busy. */
const SIGN_IN_CONNECTIONS = 64;
/** The number of organizations, and of tokens besides those in use. */
const STORED = 10_000;

type Load = Parameters<typeof measureBySeveral>[1];

interface Loads {
  /** The request that `fast` repeats. */
  readonly request: LoadRequest;
  readonly fast: Load;
  readonly signIns: Load;
}

/** Measures what requests, sign-ins and revocations cost with ever more worker processes, and their memory. */
export async function measureManyWorkers(stage: Stage, effort: Effort): Promise<WorkersGrowth> {
  await using directory = await openDirectory(stage, 'workers', STORED);
  const cores = coresOf(stage.cores);
  const { counts } = effort.workers;
  const request = await createRequest(directory, 'Known');
  const fast = {
    requests: await stage.writeRequests('workers-known', [request]),
    pick: 'in-order',
    connections: CONNECTIONS,
    seconds: effort.workers.seconds,
  } as const;
  const signIns = {
    requests: await stage.writeRequests('workers-sign-ins', signInRequests(USERS)),
    pick: 'in-order',
    connections: SIGN_IN_CONNECTIONS,
    // Not for a time: on a busy machine, the threads of low priority may hash no password in seconds.
    amount: effort.workers.signIns,
  } as const;
  try {
    const rows: WorkersRow[] = [];
    for (const workers of counts.filter((count) => count <= cores)) {
      say(`= workers: ${workers}`);
      rows.push(await measureRow(workers, directory, effort, { request, fast, signIns }));
    }
    const most = rows.at(-1)?.workers ?? 1;
    const revocation = await revokeUnderLoad(directory, most, fast, effort.workers.revocations);
    return { rows, cores, tooMany: counts.filter((count) => count > cores), revocation };
  } finally {
    // The parts after this one expect this program where the stage put it.
    if (stage.cores) pinProcess(process.pid, stage.cores.others);
  }
}

async function measureRow(
  workers: number,
  directory: Directory,
  effort: Effort,
  { request, fast, signIns }: Loads,
): Promise<WorkersRow> {
  const { stage } = directory;
  const rounds = Math.min(effort.rounds, effort.workers.rounds);
  const newTokens = await newTokensEachTurn(directory, { ...effort, rounds }, `workers-${workers}`);
  const place = await takePlace(workers, stage.cores, directory);
  const settings = { ...SIGN_IN_SETTINGS, WORKERS: `${workers}` };
  await using server = await startBundledGatehouse(directory, settings, place.server);
  const bare = await measureBare(workers, place, fast, rounds, await answerOf(server, request));
  const known = await inRounds(rounds, () => measureBySeveral(server, fast, place.load));
  const memoryBytes = server.memoryBytes();
  const cores = stage.cores && { ...stage.cores, load: place.load.join(',') };
  const neverSeen = await inRounds(rounds, (turn) => measure(server, newTokens(turn), cores));
  const signedIn = await inRounds(rounds, () => measure(server, signIns, cores));
  return {
    workers,
    isShared: place.isShared,
    bare,
    known,
    memoryBytes,
    memoryAfterSignInsBytes: server.memoryBytes(),
    neverSeen,
    signIns: signedIn,
    hashingThreads: server.hashingThreads(),
  };
}

/** Measures servers on bare `node:http` that give the same answer to every request. */
async function measureBare(
  workers: number,
  place: Place,
  fast: Load,
  rounds: number,
  BODY: string,
): Promise<readonly Sample[]> {
  await using server = await startPeerOn('bare-cluster', { WORKERS: `${workers}`, BODY }, place.server);
  return await inRounds(rounds, () => measureBySeveral(server, fast, place.load));
}

async function answerOf({ announcement }: ServerProcess, { path, headers }: LoadRequest): Promise<string> {
  return await (await fetch(`${announcement.url}${path}`, { headers })).text();
}

/** Measures once more than this, because the first time is the warm-up, and does not count. */
async function inRounds(rounds: number, once: (turn: number) => Promise<Sample>): Promise<readonly Sample[]> {
  const samples: Sample[] = [];
  for (let turn = 0; turn <= rounds; turn++) samples.push(await once(turn));
  return samples.slice(1);
}
