import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { Effort } from '../../../options.ts';
import { openDirectory } from '../../../population/directory.ts';
import { say } from '../../../say.ts';
import { startGatehouse } from '../../../servers/gatehouse.ts';
import type { ServerProcess } from '../../../servers/server-process.ts';
import type { Stage } from '../../../stage.ts';
import { createBenchService } from '../services.ts';
import { startProgram } from '../start-program.ts';
import type { StreamsOrder, StreamsPlan, StreamsReport } from './messages.ts';

/** The cost of streams for the server, once for each round. */
export interface StreamCost {
  readonly streams: number;
  readonly services: number;
  /** The share of a core that the server uses without streams, and more of it with streams that are idle. */
  readonly idleShare: readonly number[];
  readonly proofShare: readonly number[];
  /** The CPU of opening a stream and ending it, in milliseconds. */
  readonly openMs: readonly number[];
  /** The bytes that one stream gets in a second. */
  readonly bytesPerSecond: readonly number[];
}

const PROGRAM = fileURLToPath(new URL('clients.ts', import.meta.url));
/** The largest number of streams of one service. */
const OF_ONE_SERVICE = 100;
/** The server ends a stream after 10 s: the time for which all of them are open together, in seconds. */
const TOGETHER_S = 5;
/** Opening all of them takes longer than this on a machine that is too busy to measure. */
const OPENED_WITHIN_MS = 4_500;
/** Nothing is open, and the server has done what the end of streams leaves to do. */
const QUIET_MS = 500;

/** Opens many streams at one server, round after round, and measures the server's CPU. */
export async function measureStreams(
  stage: Stage,
  { verifier: { streams, streamRounds } }: Effort,
): Promise<StreamCost> {
  await using directory = await openDirectory(stage, 'verifier_streams', 1_000);
  const services = Math.ceil(streams / OF_ONE_SERVICE);
  const credentials: string[] = [];
  for (let index = 1; index <= services; index += 1) {
    credentials.push((await createBenchService(directory, `orders-${index}`)).credential);
  }
  await using server = await startGatehouse(directory);
  await using clients = startClients({ url: server.announcement.url, credentials }, stage.cores?.load);
  const [idleShare, proofShare, openMs, bytesPerSecond]: number[][] = [[], [], [], []];
  const result = { streams, services, idleShare, proofShare, openMs, bytesPerSecond } as {
    -readonly [Key in keyof StreamCost]: StreamCost[Key] extends number ? number : number[];
  };
  for (let round = 0; round <= streamRounds; round += 1) {
    say(round === 0 ? 'warming up' : `round ${round} of ${streamRounds}`);
    const measured = await measureRound(server, clients, streams);
    if (round === 0) continue;
    result.idleShare.push(measured.idleShare);
    result.proofShare.push(measured.proofShare);
    result.openMs.push(measured.openMs);
    result.bytesPerSecond.push(measured.bytesPerSecond);
  }
  return result;
}

type Clients = ReturnType<typeof startClients>;

async function measureRound(server: ServerProcess, clients: Clients, streams: number) {
  const idle = await cpuOver(server, () => delay(TOGETHER_S * 1000));
  const idleShare = idle.cpuSeconds / idle.seconds;
  const opening = await cpuOver(server, () => clients.tell({ open: streams }));
  if (opening.seconds * 1000 > OPENED_WITHIN_MS)
    throw new Error('streams open too slowly: the machine is too busy');
  const before = await clients.tell({ look: true });
  const proving = await cpuOver(server, () => delay(TOGETHER_S * 1000));
  const after = await clients.tell({ look: true });
  if (after.open !== streams)
    throw new Error(`${streams - after.open} of ${streams} streams ended too early`);
  const ending = await cpuOver(server, async () => {
    await clients.tell({ leave: true });
    await delay(QUIET_MS);
  });
  const others = idleShare * (opening.seconds + ending.seconds);
  return {
    idleShare,
    proofShare: proving.cpuSeconds / proving.seconds - idleShare,
    openMs: ((opening.cpuSeconds + ending.cpuSeconds - others) * 1000) / streams,
    bytesPerSecond: (after.bytes - before.bytes) / proving.seconds / streams,
  };
}

async function cpuOver(server: ServerProcess, work: () => Promise<unknown>) {
  const [before, begun] = [server.usage().cpuSeconds, performance.now()];
  await work();
  return {
    cpuSeconds: server.usage().cpuSeconds - before,
    seconds: (performance.now() - begun) / 1000,
  };
}

const startClients = (plan: StreamsPlan, cores: string | undefined) =>
  startProgram<StreamsOrder, StreamsReport>(PROGRAM, plan, cores);
