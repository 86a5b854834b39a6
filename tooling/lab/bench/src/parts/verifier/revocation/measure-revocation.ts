import { setTimeout as delay } from 'node:timers/promises';
import { startLoad } from '../../../load/start-load.ts';
import type { Effort } from '../../../options.ts';
import { type Directory, emailOf, openDirectory } from '../../../population/directory.ts';
import { createTokensInUse } from '../../../population/tokens-in-use.ts';
import { say } from '../../../say.ts';
import { startGatehouse } from '../../../servers/gatehouse.ts';
import type { Stage } from '../../../stage.ts';
import { startRevoker } from '../../revocation/start-revoker.ts';
import { createBenchService, createServiceTokens, tokenOf } from '../services.ts';
import type { CheckCount } from './messages.ts';
import { startVerifiers, type Verifiers } from './start-verifiers.ts';

export interface VerifierRevocation {
  readonly servers: number;
  readonly verifiers: number;
  readonly ratePerServer: number;
  /** For each revocation, the time from its acknowledgement to the last acceptance by any verifier; 0 if that came before. */
  readonly delaysMs: readonly number[];
  /** The checks of a good token by all verifiers. */
  readonly count: CheckCount;
}

const SERVERS = 2;
const PER_PROCESS = 25;
/** On a busy machine, fewer tokens are revoked: the part ends after this time. */
const MAX_DURATION_MS = 150_000;
const BACKGROUND_TOKENS = 200;
const LOAD = { connections: 10, rate: 500 } as const;

/** Revokes tokens that every verifier remembers, and measures how long they are accepted, and how old knowledge is. */
export async function measureVerifierRevocation(
  stage: Stage,
  { verifier: { verifiers, revocations } }: Effort,
): Promise<VerifierRevocation> {
  await using resources = new AsyncDisposableStack();
  const directory = resources.use(await openDirectory(stage, 'verifier_revocation', 1_000));
  const service = await createBenchService(directory, 'orders');
  const [steady, ...revoked] = await createServiceTokens(directory, service, revocations + 1, 'Revoked');
  if (!steady) throw new Error('there is no token');

  const urls: string[] = [];
  for (let index = 0; index < SERVERS; index += 1) {
    const server = resources.use(await startGatehouse(directory, {}, stage.cores?.all));
    urls.push(server.announcement.url);
  }
  const { ended: loaded } = await loadServers(directory, urls, resources);
  const plan = { urls, credential: service.credential, scope: service.scope, steady: tokenOf(steady) };
  const all: Verifiers[] = [];
  for (let left = verifiers; left > 0; left -= PER_PROCESS) {
    const own = { ...plan, verifiers: Math.min(left, PER_PROCESS) };
    all.push(resources.use(await startVerifiers(own, stage.cores?.all)));
  }
  // Verifiers that have just started wait for their first proofs.
  await delay(1_000);
  await Promise.all(all.map((each) => each.counts()));

  await using revoker = startRevoker(directory);
  const delaysMs: number[] = [];
  const begun = performance.now();
  for (const token of revoked) {
    if (performance.now() - begun > MAX_DURATION_MS) break;
    const measured = async () => {
      const watches = await Promise.all(all.map((each) => each.watch(token.id, tokenOf(token))));
      const { at } = await revoker.revoke({ id: token.id, email: emailOf(token.userId) });
      const last = await Promise.all(watches.map((watch) => watch.last));
      return Math.max(0, Math.max(...last) - at);
    };
    delaysMs.push(await Promise.race([measured(), loaded]));
    if (delaysMs.length % 20 === 0) say(`${delaysMs.length} of ${revocations} revocations`);
  }
  const counts = await Promise.all(all.map((each) => each.counts()));
  return {
    servers: SERVERS,
    verifiers,
    ratePerServer: LOAD.rate,
    delaysMs,
    count: counts.reduce((sum, one) => ({
      checks: sum.checks + one.checks,
      undecided: sum.undecided + one.undecided,
      timersLateMs: Math.max(sum.timersLateMs, one.timersLateMs),
      ages: sum.ages.map((checks, ageMs) => checks + (one.ages[ageMs] ?? 0)),
    })),
  };
}

/** Loads every server with look-ups until the resources are released. The result rejects when a load ends. */
async function loadServers(
  directory: Directory,
  urls: readonly string[],
  resources: AsyncDisposableStack,
): Promise<{ readonly ended: Promise<never> }> {
  const { stage } = directory;
  const tokens = await createTokensInUse(directory, BACKGROUND_TOKENS, 'Background');
  const requests = await stage.writeRequests(
    'verifier-background',
    tokens.map(({ request }) => request),
  );
  const loads = urls.map((url) =>
    startLoad({ ...LOAD, url, requests, pick: 'uniform', seconds: 3_600 }, stage.cores?.all),
  );
  const ended = Promise.race(loads.map(({ result }) => result)).then(() => {
    throw new Error('the load ended too early');
  });
  ended.catch(() => undefined);
  resources.defer(async () => {
    for (const load of loads) load.stop();
    await Promise.allSettled(loads.map(({ result }) => result));
  });
  return { ended };
}
