import { setTimeout as delay } from 'node:timers/promises';
import type { TokenId } from '@gatehouse/domain/tokens';
import { type Database, databaseOf } from '../../machine/database-usage.ts';
import type { Effort } from '../../options.ts';
import { type Directory, emailOf, openDirectory } from '../../population/directory.ts';
import { say } from '../../say.ts';
import { type Stage, withClient } from '../../stage.ts';
import { startRevoker } from '../revocation/start-revoker.ts';
import { type Nodes, startNodes } from './start-nodes.ts';
import { startWriters } from './start-writers.ts';

/** The cost and the speed of a fleet of one size. */
export interface FleetResult {
  readonly nodes: number;
  /** The database's CPU, as a share of one core: with nodes that only listen, and with nodes that store usage as well. */
  readonly idleShare: number;
  readonly usageShare: number;
  /** For each revocation, while usage is stored: from its acknowledgement until the slowest node has heard of it. */
  readonly delaysMs: readonly number[];
  /**
   * Paced revocations while nodes only listen: their number, the seconds that they took, and the CPU of the database.
   */
  readonly paced: { readonly revocations: number; readonly seconds: number; readonly cpuSeconds: number };
  /** Revocations per second, for each round in which writers revoke without a pause. */
  readonly commitsPerSecond: readonly number[];
  /** The database's CPU in these rounds, as a share of one core. */
  readonly commitsBusy: readonly number[];
  /** How often a feed was not known to be complete: in the paced parts, and while writers did not pause. */
  readonly losses: { readonly paced: number; readonly unpaced: number };
}

export interface Fleet {
  /** The database's CPU without nodes, as a share of one core. */
  readonly emptyShare: number;
  readonly usesPerNode: number;
  readonly pacedPerSecond: number;
  readonly writers: number;
  readonly results: readonly FleetResult[];
}

/** The tokens whose use each node stores every second. */
const USES_PER_NODE = 50;
/** Revocations in the paced part; far more than people make. */
const PACED_PER_SECOND = 20;
const WRITERS = { processes: 4, atOnceEach: 4 };
/** Enough tokens are stored for this many revocations a second. */
const MAX_PER_SECOND = 4_000;
const UNPACED_ROUNDS = 3;

/** Measures fleets of growing size, all on one database. */
export async function measureFleet(
  stage: Stage,
  { fleet: { nodes: sizes, revocations, seconds } }: Effort,
): Promise<Fleet> {
  const unpaced = sizes.length * UNPACED_ROUNDS * seconds * MAX_PER_SECOND;
  await using directory = await openDirectory(
    stage,
    'fleet',
    2 * sizes.length * revocations + unpaced + 10_000,
  );
  const tokens = await storedTokens(directory);
  const used = tokens.splice(0, 10_000).map(({ id }) => id);
  const take = (count: number) => tokens.splice(0, count);
  const database = await databaseOf(directory);
  const emptyShare = await database.shareOver(seconds);
  const results: FleetResult[] = [];
  for (const count of sizes) {
    say(`${count} nodes`);
    // The nodes leave the database a core of its own, as they would on other machines.
    await using nodes = await startNodes(directory.url, count, stage.cores?.server);
    await delay(1_000);
    const idleShare = await database.shareOver(seconds);
    say('revoking, paced, while they only listen');
    const before = database.cpuSeconds();
    const begun = performance.now();
    await revokePaced(directory, nodes, take(revocations));
    const paced = {
      revocations,
      seconds: (performance.now() - begun) / 1000,
      cpuSeconds: database.cpuSeconds() - before,
    };
    nodes.use((index) => used.slice(index * USES_PER_NODE, (index + 1) * USES_PER_NODE));
    await delay(2_000);
    const usageShare = await database.shareOver(seconds);
    say('revoking, paced, while they store usage');
    const delaysMs = await revokePaced(directory, nodes, take(revocations));
    const pacedLosses = nodes.losses();
    say('revoking without a pause');
    const rounds = await revokeUnpaced(directory, database, seconds, take);
    results.push({
      nodes: count,
      idleShare,
      usageShare,
      delaysMs,
      paced,
      ...rounds,
      losses: { paced: pacedLosses, unpaced: nodes.losses() },
    });
  }
  const writers = WRITERS.processes * WRITERS.atOnceEach;
  return { emptyShare, usesPerNode: USES_PER_NODE, pacedPerSecond: PACED_PER_SECOND, writers, results };
}

interface Revocable {
  readonly id: TokenId;
  readonly email: string;
}

/** All stored tokens, in any order, each with the email of its admin. */
async function storedTokens({ url }: Directory): Promise<Revocable[]> {
  return await withClient(url, async (client) => {
    const { rows } = await client.query<{ id: TokenId; user: number }>(
      'SELECT id, user_id::int AS user FROM tokens ORDER BY user_id, id',
    );
    return rows.map(({ id, user }) => ({ id, email: emailOf(user) }));
  });
}

async function revokePaced(
  directory: Directory,
  nodes: Nodes,
  tokens: readonly Revocable[],
): Promise<number[]> {
  await using revoker = startRevoker(directory);
  const delaysMs: number[] = [];
  for (const order of tokens) {
    const next = delay(1000 / PACED_PER_SECOND);
    const { heard } = await nodes.expect(order.id);
    const { at } = await revoker.revoke(order);
    delaysMs.push(Math.max(0, (await heard) - at));
    await next;
  }
  return delaysMs;
}

async function revokeUnpaced(
  directory: Directory,
  database: Database,
  seconds: number,
  take: (count: number) => readonly Revocable[],
) {
  await using resources = new AsyncDisposableStack();
  const { processes, atOnceEach: atOnce } = WRITERS;
  const cores = directory.stage.cores?.server;
  const writers = Array.from({ length: processes }, () => resources.use(startWriters(directory, cores)));
  const [commitsPerSecond, commitsBusy]: [number[], number[]] = [[], []];
  for (let round = 1; round <= UNPACED_ROUNDS; round += 1) {
    const orders = writers.map(() => ({
      tokens: take((seconds * MAX_PER_SECOND) / processes),
      atOnce,
      seconds,
    }));
    const [before, begun] = [database.cpuSeconds(), performance.now()];
    const reports = await Promise.all(
      writers.map((writer, index) => writer.write(orders[index] as (typeof orders)[number])),
    );
    commitsBusy.push((database.cpuSeconds() - before) / ((performance.now() - begun) / 1000));
    commitsPerSecond.push(reports.reduce((sum, report) => sum + report.revoked / report.seconds, 0));
  }
  return { commitsPerSecond, commitsBusy };
}
