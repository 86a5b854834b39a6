import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { LoadPlan, LoadResult } from '../../../load/plan.ts';
import { startLoad } from '../../../load/start-load.ts';
import type { Effort } from '../../../options.ts';
import { type Directory, openDirectory } from '../../../population/directory.ts';
import { createTokensInUse } from '../../../population/tokens-in-use.ts';
import { say } from '../../../say.ts';
import { startGatehouse } from '../../../servers/gatehouse.ts';
import { type Stage, withClient } from '../../../stage.ts';
import { type BenchService, createBenchService, createServiceTokens, tokenOf } from '../services.ts';
import { type Holders, startHolders } from './start-holders.ts';

/** Look-ups of others, before a change of everything and after it. */
export interface AroundChange {
  readonly before: LoadResult;
  readonly after: LoadResult;
}

export interface EverythingChanged {
  readonly verifiers: number;
  readonly tokens: number;
  readonly checksPerSecond: number;
  readonly rate: number;
  readonly seconds: number;
  /** Without any verifier: the server's own caches are empty after the change. */
  readonly alone: readonly AroundChange[];
  readonly withVerifiers: readonly AroundChange[];
  /** The requests of all verifiers that introspect after the change. */
  readonly questions: readonly number[];
}

const PER_PROCESS = 50;
const SERVICES = 2;
const CHECKS_PER_SECOND = 5;
const LOOK_UPS = { connections: 16, rate: 300, pick: 'uniform' } as const;
const LOOK_UP_TOKENS = 200;
const EVERYTHING = `NOTIFY gatehouse_changes, '{"v":1,"kind":"token","ids":"*"}'`;

/** Tells a server that everything may have changed while many verifiers remember many tokens, and looks others up meanwhile. */
export async function measureEverythingChanged(
  stage: Stage,
  { verifier: { verifiers, held, changeRounds, changeSeconds: seconds } }: Effort,
): Promise<EverythingChanged> {
  await using resources = new AsyncDisposableStack();
  const directory = resources.use(await openDirectory(stage, 'verifier_everything', held));
  // All services are on this machine, and would be limited as one address.
  const settings = { MAX_CONNECTIONS_PER_ADDRESS: '10000' };
  const server = resources.use(await startGatehouse(directory, settings));
  const { url } = server.announcement;
  const inUse = await createTokensInUse(directory, LOOK_UP_TOKENS, 'Looked up');
  const requests = await stage.writeRequests(
    'looked-up',
    inUse.map(({ request }) => request),
  );
  const around = () => measureAround(directory, { ...LOOK_UPS, url, requests, seconds });

  say('without verifiers');
  // The first one is the warm-up of the server.
  await around();
  const alone: AroundChange[] = [];
  for (let round = 1; round <= changeRounds; round += 1) alone.push(await around());

  const holders: Holders[] = [];
  const services: BenchService[] = [];
  for (let index = 1; index <= SERVICES; index += 1) {
    services.push(await createBenchService(directory, `orders-${index}`));
  }
  for (let left = verifiers; left > 0; left -= PER_PROCESS) {
    const service = services[holders.length % SERVICES] as BenchService;
    const name = `held-${holders.length}`;
    const tokens = join(stage.folder, `${name}.json`);
    const made = await createServiceTokens(directory, service, held, name);
    await writeFile(tokens, JSON.stringify(made.map(tokenOf)));
    const { credential, scope } = service;
    const count = Math.min(left, PER_PROCESS);
    const plan = { url, credential, scope, tokens, verifiers: count, checksPerSecond: CHECKS_PER_SECOND };
    holders.push(resources.use(await startHolders(plan, stage.cores?.load)));
  }
  const [withVerifiers, questions]: [AroundChange[], number[]] = [[], []];
  for (let round = 1; round <= changeRounds; round += 1) {
    say(`filling the verifiers, ${round} of ${changeRounds}`);
    const begun = performance.now();
    await Promise.all(holders.map((each) => each.tell({ remember: true })));
    say(`filled after ${Math.round((performance.now() - begun) / 1000)} s`);
    withVerifiers.push(await around());
    const counted = await Promise.all(holders.map((each) => each.tell({ count: true })));
    questions.push(counted.reduce((sum, report) => sum + report.questions, 0));
  }
  const { rate } = LOOK_UPS;
  const checksPerSecond = CHECKS_PER_SECOND;
  return { verifiers, tokens: held, checksPerSecond, rate, seconds, alone, withVerifiers, questions };
}

async function measureAround({ url, stage }: Directory, plan: LoadPlan): Promise<AroundChange> {
  const look = () => startLoad(plan, stage.cores?.load).result;
  const before = await look();
  await withClient(url, (client) => client.query(EVERYTHING));
  return { before, after: await look() };
}
