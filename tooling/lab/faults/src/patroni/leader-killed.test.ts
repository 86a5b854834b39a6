import { setTimeout as delay } from 'node:timers/promises';
import { atMost, none, recordFigures, recordSkip, sized } from '@gatehouse/fault-figures';
import { expect, test } from 'vitest';
import type { KnownReads, KnownReadsTask } from '../failover/known-reads-thread.ts';
import { type Outage, readsDuring } from '../failover/reads-during.ts';
import { startNodes } from '../failover/start-nodes.ts';
import { untilStatus } from '../stage/ask.ts';
import { openLedger } from '../stage/ledger.ts';
import { startLoad } from '../stage/load.ts';
import { startThread } from '../stage/thread.ts';
import { untilBack } from '../stage/until-back.ts';
import { wrongVerdicts } from '../stage/verdicts.ts';
import type { PatroniCluster } from './cluster.ts';
import { openPopulatedCluster } from './populated.ts';
import { whyImpossible } from './tools.ts';

/** The whole member, as if its machine had lost its power; or PostgreSQL alone, which Patroni notices. */
type Killed = 'member' | 'PostgreSQL';

const SIZE = sized({
  short: { members: 2, postgres: 1, perSecond: 200 },
  full: { members: 50, postgres: 10, perSecond: 500 },
});
const ROUNDS = SIZE.members + SIZE.postgres;
const ROUND_LIMIT_MS = 120_000;
/** The default of the servers, in milliseconds. */
const MAX_STALENESS_MS = 1000;
/** The time after the new primary's first answer within which everything must work again, in milliseconds. */
const AGAIN_MS = 2000;
/** How long tokens are made and revoked before and after a failure, in milliseconds. */
const CHANGING_MS = 1000;
/** How long changes go on after a failure: until clients notice it, in milliseconds. */
const NOTICED_MS = 500;
/** The number of these tokens that both servers are asked about. All are compared with the database. */
const VERIFIED = 20;
/** The reads of known facts are the load. The responses to these requests have to be right. */
const PACE = { readPauseMs: 40, signInPauseMs: 500 };
/** Sign-ins that are interrupted count for their address. */
const NO_LIMIT = { SIGN_IN_ADDRESS_ATTEMPTS: '1000000' };

if (whyImpossible !== undefined) recordSkip('D7', whyImpossible);

interface PatroniOutage extends Outage {
  readonly killed: Killed;
}

/** Kills the leader, and resolves with the new primary's first answer. */
async function failOver(cluster: PatroniCluster, killed: Killed, stopChanging: () => void) {
  const old = await cluster.leader();
  await (killed === 'member' ? old.kill() : old.killPostgres());
  const killedAt = performance.timeOrigin + performance.now();
  await delay(NOTICED_MS);
  stopChanging();
  const { at, promotedAt } = await cluster.untilLedElsewhere(old);
  return { old, killed, killedAt, promotingAt: promotedAt, promotedAt: at };
}

/** Kills leaders again and again under two busy servers. */
async function failOverUnderLoad() {
  await using populated = await openPopulatedCluster();
  const { cluster, population, settings } = populated;
  const { path, token } = population;
  const nodes = await startNodes(2, { ...settings, ...NO_LIMIT });
  await using ending = new AsyncDisposableStack();
  for (const node of nodes) ending.use(node);
  await using ledger = await openLedger(settings, population.email);
  const urls = nodes.map(({ url }) => `${url}${path}`);
  await Promise.all(urls.map((url) => untilStatus(200, url, token)));
  const loads = nodes.map(({ url }) => startLoad({ url, population, ledger, mayBeSilent: true, ...PACE }));
  const task: KnownReadsTask = { urls, token, perSecond: SIZE.perSecond };
  const reader = await startThread<KnownReads>(
    new URL('../failover/known-reads-thread.ts', import.meta.url),
    task,
  );
  const outages: PatroniOutage[] = [];
  const wrong: string[] = [];
  const changeTokens = (now: boolean) => {
    for (const load of loads) load.change(now);
  };
  const every = Math.ceil(ROUNDS / SIZE.postgres);
  for (let round = 0; round < ROUNDS; round += 1) {
    changeTokens(true);
    // At a different moment each time.
    await delay(CHANGING_MS + ((round * 61) % 250));
    const signIns = loads.map(({ signedIn }) => signedIn.length);
    const killed = round % every === every - 1 ? 'PostgreSQL' : 'member';
    const { old, ...failure } = await failOver(cluster, killed, () => changeTokens(false));
    // The last changes that were acknowledged before the failure, and the first after it.
    const tokens = ledger.tokens.slice(-VERIFIED);
    const backAfterMs = await untilBack(nodes, ledger, path);
    outages.push({ ...failure, backAfterMs });
    if (backAfterMs > AGAIN_MS) {
      console.warn(
        `D7: failover ${round} (${killed}): everything worked again after ${backAfterMs.toFixed(0)} ms`,
      );
    }
    changeTokens(true);
    await delay(CHANGING_MS);
    changeTokens(false);
    tokens.push(...ledger.tokens.slice(-VERIFIED));
    const signedIn = loads.flatMap((load, index) => load.signedIn.slice(signIns[index]));
    if (killed === 'member') old.start();
    await cluster.untilComplete();
    wrong.push(...(await ledger.disagreements()));
    const verdicts = urls.map((url) => wrongVerdicts(url, { tokens, signedIn }));
    wrong.push(...(await Promise.all(verdicts)).flat());
  }
  const known = readsDuring(await reader.stop(), outages);
  outages.forEach(({ killed, killedAt, promotingAt, promotedAt }, round) => {
    const [wentOn, promoted, answered] = [
      known.wentOnMs[round] ?? 0,
      promotingAt - killedAt,
      promotedAt - killedAt,
    ];
    if (wentOn > MAX_STALENESS_MS) {
      console.warn(
        `D7: failover ${round} (${killed}): reads went on for ${wentOn.toFixed(0)} ms; promoted after ${promoted.toFixed(0)} ms, answered after ${answered.toFixed(0)} ms`,
      );
    }
  });
  for (const load of loads) {
    await load.stop();
    wrong.push(...load.wrong);
  }
  wrong.push(...(await ledger.disagreements()), ...nodes.flatMap(({ complaints }) => complaints));
  return {
    outages,
    known,
    wrong,
    ended: nodes.filter(({ process: { exitCode } }) => exitCode !== null).length,
    refusedReads: loads.reduce((sum, { counts }) => sum + counts.refusedReads, 0),
    silent: loads.reduce((sum, { counts }) => sum + counts.silent, 0),
    changes: ledger.counts,
  };
}

const seconds = (ms: number) => (ms / 1000).toFixed(1);

/** From the kill to the new primary's first answer, in the best and the worst failover. */
function patroniTook(outages: readonly PatroniOutage[], of: Killed): string {
  const took = outages
    .filter(({ killed }) => killed === of)
    .map(({ killedAt, promotedAt }) => promotedAt - killedAt);
  return `${took.length}, ${seconds(Math.min(...took))} s, ${seconds(Math.max(...took))} s`;
}

test.skipIf(whyImpossible !== undefined)(
  `${ROUNDS} leaders that are killed lose nothing that was acknowledged, and no server has to be restarted`,
  { timeout: (ROUNDS + 2) * ROUND_LIMIT_MS },
  async () => {
    const { outages, known, wrong, ended, refusedReads, silent, changes } = await failOverUnderLoad();
    recordFigures('D7', [
      {
        name: 'killed members; from the kill to the new primary, at least, at most',
        measured: patroniTook(outages, 'member'),
      },
      {
        name: 'killed PostgreSQL alone; from the kill to the new primary, at least, at most',
        measured: patroniTook(outages, 'PostgreSQL'),
      },
      { name: 'reads of known facts, a second', measured: known.perSecond.toFixed(0) },
      { name: 'changes acknowledged, refused', measured: `${changes.acknowledged}, ${changes.failed}` },
      { name: 'requests without a response within 10 s', measured: String(silent) },
      none('reads of known facts without a response', known.silent),
      none('lost, or answered wrongly', wrong.length + known.wrong),
      none('reads of known facts that failed while there was a primary', known.failedOutside),
      {
        name: 'reads of known facts went on after the primary was killed, at least, at most',
        measured: `${known.wentOnAtLeastMs.toFixed(0)} ms, ${known.wentOnAtMostMs.toFixed(0)} ms`,
        bar: `≤ ${MAX_STALENESS_MS} ms`,
        holds: known.wentOnAtMostMs <= MAX_STALENESS_MS,
      },
      atMost(
        "everything works again after the new primary's first answer, at most",
        Math.max(...outages.map(({ backAfterMs }) => backAfterMs)),
        AGAIN_MS,
      ),
      {
        name: `failovers after which it took longer than ${AGAIN_MS} ms`,
        measured: String(outages.filter(({ backAfterMs }) => backAfterMs > AGAIN_MS).length),
      },
      none('servers that ended', ended),
    ]);
    expect(wrong).toEqual([]);
    expect(known.wrong).toBe(0);
    expect(known.silent).toBe(0);
    expect(ended).toBe(0);
    expect(outages).toHaveLength(ROUNDS);
    // If the fault had no effect, the test would prove nothing.
    expect(refusedReads).toBeGreaterThan(0);
    expect(changes.acknowledged).toBeGreaterThan(0);
  },
);
