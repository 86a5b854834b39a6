import { setTimeout as delay } from 'node:timers/promises';
import { atMost, none, recordFigures, recordSkip, sized } from '@gatehouse/fault-figures';
import { describe, expect, test } from 'vitest';
import { untilStatus } from '../stage/ask.ts';
import { hasHaproxy } from '../stage/haproxy.ts';
import { openLedger } from '../stage/ledger.ts';
import { startLoad } from '../stage/load.ts';
import { type Population, populate, settingsOf } from '../stage/population.ts';
import { repeat } from '../stage/repeat.ts';
import { startThread } from '../stage/thread.ts';
import { until } from '../stage/until.ts';
import { untilBack } from '../stage/until-back.ts';
import { wrongVerdicts } from '../stage/verdicts.ts';
import type { KnownReads, KnownReadsTask } from './known-reads-thread.ts';
import { type Outage, readsDuring } from './reads-during.ts';
import { type ReplicatedPostgres, startReplicatedPostgres } from './replicated-postgres.ts';
import { startNodes } from './start-nodes.ts';
import { untilLed } from './switched-address.ts';

const SIZE = sized({
  short: { rounds: 1, lost: 1, perSecond: 200 },
  full: { rounds: 50, lost: 10, perSecond: 1000 },
});
const ROUND_LIMIT_MS = 60_000;
/** The time after the promotion within which everything must work again, in milliseconds. */
const AGAIN_MS = 2000;
/** From the failure to the promotion: longer than caches may be used. */
const NOTICED_AFTER_MS = 1500;
/** How long tokens are made and revoked before and after a failure, in milliseconds. */
const CHANGING_MS = 1000;
/** The number of these tokens that both servers are asked about. All are compared with the database. */
const VERIFIED = 20;
/** How long commits of an asynchronous primary take to arrive at its standby, in milliseconds. */
const BEHIND_MS = 200;

/** The reads of known facts are the load. The responses to these requests have to be right. */
const PACE = { readPauseMs: 40, signInPauseMs: 500 };

/** Sign-ins that are interrupted count for their address. */
const NO_LIMIT = { SIGN_IN_ADDRESS_ATTEMPTS: '1000000' };

/** The processes to kill are found in Linux's /proc. */
const isPossible = hasHaproxy && process.platform === 'linux';
if (!isPossible) recordSkip('D4', 'haproxy is not installed (apt-get install haproxy), or this is not Linux');

/** A populated primary with a standby, behind an address. */
async function openPopulatedPair(replication: Parameters<typeof startReplicatedPostgres>[0]['replication']) {
  let population: Population | undefined;
  const postgres = await startReplicatedPostgres({ replication, openConnections: 'closed' }, async (url) => {
    population = await populate(settingsOf(url));
  });
  await untilLed(postgres.address);
  return { postgres, population: population as Population, settings: settingsOf(postgres.address.url) };
}

async function failOver(postgres: ReplicatedPostgres): Promise<Omit<Outage, 'backAfterMs'>> {
  await postgres.killPrimary();
  // Until its last process has ended, the primary answers heartbeats.
  const killedAt = performance.timeOrigin + performance.now();
  await delay(NOTICED_AFTER_MS);
  const promotingAt = performance.timeOrigin + performance.now();
  await postgres.promoteStandby();
  return { killedAt, promotingAt, promotedAt: performance.timeOrigin + performance.now() };
}

/** Fails over again and again under two busy servers. */
async function failOverUnderLoad(rounds: number) {
  const { postgres, population, settings } = await openPopulatedPair('synchronous');
  await using _ = postgres;
  const { path, token } = population;
  const nodes = await startNodes(2, { ...settings, ...NO_LIMIT });
  await using ending = new AsyncDisposableStack();
  for (const node of nodes) ending.use(node);
  await using ledger = await openLedger(settings, population.email);
  const urls = nodes.map(({ url }) => `${url}${path}`);
  await Promise.all(urls.map((url) => untilStatus(200, url, token)));
  const loads = nodes.map(({ url }) => startLoad({ url, population, ledger, mayBeSilent: true, ...PACE }));
  const task: KnownReadsTask = { urls, token, perSecond: SIZE.perSecond };
  const reader = await startThread<KnownReads>(new URL('known-reads-thread.ts', import.meta.url), task);
  const outages: Outage[] = [];
  const wrong: string[] = [];
  const changeTokens = (now: boolean) => {
    for (const load of loads) load.change(now);
  };
  for (let round = 0; round < rounds; round += 1) {
    changeTokens(true);
    // At a different moment each time.
    await delay(CHANGING_MS + ((round * 61) % 250));
    const signIns = loads.map(({ signedIn }) => signedIn.length);
    const failure = await failOver(postgres);
    // The last changes that were acknowledged before the failure, and the first after it.
    const tokens = ledger.tokens.slice(-VERIFIED);
    const backAfterMs = await untilBack(nodes, ledger, path);
    outages.push({ ...failure, backAfterMs });
    await delay(CHANGING_MS);
    changeTokens(false);
    tokens.push(...ledger.tokens.slice(-VERIFIED));
    const signedIn = loads.flatMap((load, index) => load.signedIn.slice(signIns[index]));
    await postgres.replaceStandby();
    wrong.push(...(await ledger.disagreements()));
    const verdicts = urls.map((url) => wrongVerdicts(url, { tokens, signedIn }));
    wrong.push(...(await Promise.all(verdicts)).flat());
  }
  const known = await reader.stop();
  for (const load of loads) {
    await load.stop();
    wrong.push(...load.wrong);
  }
  wrong.push(...(await ledger.disagreements()), ...nodes.flatMap(({ complaints }) => complaints));
  const ended = nodes.filter(({ process: { exitCode } }) => exitCode !== null).length;
  const refusedReads = loads.reduce((sum, { counts }) => sum + counts.refusedReads, 0);
  const silent = loads.reduce((sum, { counts }) => sum + counts.silent, 0);
  return {
    outages,
    known: readsDuring(known, outages),
    wrong,
    ended,
    refusedReads,
    silent,
    changes: ledger.counts,
  };
}

/** Fails over under changes that are acknowledged before the standby has them, and returns what was lost. */
async function loseByFailingOver(rounds: number) {
  const { postgres, population, settings } = await openPopulatedPair({ behindMs: BEHIND_MS });
  await using _ = postgres;
  const lost = { revocations: 0, others: 0, acknowledged: 0 };
  for (let round = 0; round < rounds; round += 1) {
    await using ledger = await openLedger(settings, population.email);
    const changing = repeat(5, async () => {
      const token = await ledger.create();
      if (token) await ledger.revoke(token);
    });
    await until('there are changes', () => ledger.counts.acknowledged >= 50);
    await postgres.killPrimary();
    await changing.stop();
    await postgres.promoteStandby();
    await untilLed(postgres.address);
    for (const what of await ledger.disagreements())
      lost[/good again/.test(what) ? 'revocations' : 'others'] += 1;
    lost.acknowledged += ledger.counts.acknowledged;
    await postgres.replaceStandby();
  }
  return lost;
}

describe.skipIf(!isPossible)('a primary that is killed, and its standby promoted', () => {
  test(`${SIZE.rounds} times loses nothing that was acknowledged, and no server has to be restarted`, {
    timeout: (SIZE.rounds + 2) * ROUND_LIMIT_MS,
  }, async () => {
    const { outages, known, wrong, ended, refusedReads, silent, changes } = await failOverUnderLoad(
      SIZE.rounds,
    );
    const back = Math.max(...outages.map(({ backAfterMs }) => backAfterMs));
    recordFigures('D4', [
      { name: 'failovers to a synchronous standby', measured: String(outages.length) },
      { name: 'reads of known facts, a second', measured: known.perSecond.toFixed(0) },
      { name: 'changes acknowledged, refused', measured: `${changes.acknowledged}, ${changes.failed}` },
      { name: 'requests without a response within 10 s', measured: String(silent) },
      none('reads of known facts without a response', known.silent),
      none('lost, or answered wrongly', wrong.length + known.wrong),
      none('reads of known facts that failed while there was a primary', known.failedOutside),
      {
        name: 'reads of known facts went on after the primary was killed, at least, at most',
        measured: `${known.wentOnAtLeastMs.toFixed(0)} ms, ${known.wentOnAtMostMs.toFixed(0)} ms`,
        bar: '≤ 1000 ms',
        holds: known.wentOnAtMostMs <= 1000,
      },
      atMost('everything works again after the new primary, at most', back, AGAIN_MS),
      none('servers that ended', ended),
    ]);
    expect(wrong).toEqual([]);
    expect(known.wrong).toBe(0);
    expect(known.silent).toBe(0);
    expect(ended).toBe(0);
    expect(outages).toHaveLength(SIZE.rounds);
    // If the fault had no effect, the test would prove nothing.
    expect(refusedReads).toBeGreaterThan(0);
    expect(changes.acknowledged).toBeGreaterThan(0);
  });

  test('loses what an asynchronous standby did not have yet, which is detected', {
    timeout: (SIZE.lost + 2) * ROUND_LIMIT_MS,
  }, async () => {
    const lost = await loseByFailingOver(SIZE.lost);
    recordFigures('D4', [
      {
        name: `asynchronous standby, ${BEHIND_MS} ms behind: failovers, changes acknowledged`,
        measured: `${SIZE.lost}, ${lost.acknowledged}`,
      },
      {
        name: 'asynchronous standby: acknowledged revocations undone, other changes lost',
        measured: `${lost.revocations}, ${lost.others}`,
      },
    ]);
    expect(lost.revocations + lost.others).toBeGreaterThan(0);
  });
});
