import { setTimeout as delay } from 'node:timers/promises';
import { atMost, none, recordFigures, sized } from '@gatehouse/fault-figures';
import { describe, expect, test } from 'vitest';
import { untilReady, untilStatus } from '../stage/ask.ts';
import { type Ledger, type LedgerToken, openLedger } from '../stage/ledger.ts';
import { startLoad } from '../stage/load.ts';
import { startNode } from '../stage/node.ts';
import { populate, settingsOf } from '../stage/population.ts';
import { startPostgres } from '../stage/postgres.ts';
import { until } from '../stage/until.ts';
import { wrongVerdicts } from '../stage/verdicts.ts';

const SIZE = sized({ short: { kills: 3, sabotaged: 1 }, full: { kills: 200, sabotaged: 10 } });
const KILL_LIMIT_MS = 20_000;
/** The time after PostgreSQL is back within which a server must answer again, in milliseconds. */
const AGAIN_MS = 2000;

/** An interrupted sign-in still counts for its address. */
const NO_LIMIT = { SIGN_IN_ADDRESS_ATTEMPTS: '1000000' };

/** Kills PostgreSQL again and again under a busy server. */
async function killUnderLoad(kills: number) {
  await using postgres = await startPostgres();
  const settings = settingsOf(postgres.url);
  const population = await populate(settings);
  await using node = await startNode({ ...settings, ...NO_LIMIT });
  await using ledger = await openLedger(settings, population.email);
  const url = `${node.url}${population.path}`;
  await using load = startLoad({ url: node.url, population, ledger });
  const again: { readonly answersMs: number; readonly readyMs: number }[] = [];
  const wrong: string[] = [];
  const seen = { tokens: 0, signIns: 0 };
  for (let kill = 0; kill < kills; kill += 1) {
    // At a different moment each time.
    await delay(200 + ((kill * 61) % 200));
    await postgres.kill();
    await postgres.untilAnswering();
    const [answersMs, readyMs] = await Promise.all([
      untilStatus(200, url, population.token),
      untilReady(node.opsUrl),
    ]);
    again.push({ answersMs, readyMs });
    const tokens = ledger.tokens.slice(seen.tokens);
    const signedIn = load.signedIn.slice(seen.signIns);
    seen.tokens += tokens.length;
    seen.signIns += signedIn.length;
    wrong.push(...(await ledger.disagreements()), ...(await wrongVerdicts(url, { tokens, signedIn })));
  }
  await load.stop();
  wrong.push(...load.wrong, ...(await ledger.disagreements()), ...node.complaints);
  return { again, wrong, load: load.counts, changes: ledger.counts, exit: node.process.exitCode };
}

async function acknowledged(create: Ledger['create']): Promise<LedgerToken> {
  let token: LedgerToken | undefined;
  await until('a token is made', async () => {
    token = await create();
    return token !== undefined;
  });
  return token ?? expect.fail();
}

/** Changes tokens and kills PostgreSQL as soon as the change is acknowledged, with asynchronous commits. */
async function killOnceAcknowledged(change: (ledger: Ledger) => Promise<unknown>, kills: number) {
  await using postgres = await startPostgres({
    settings: { synchronous_commit: 'off', wal_writer_delay: '10s' },
  });
  const settings = settingsOf(postgres.url);
  const { email } = await populate(settings);
  // This much is written.
  await postgres.execute('checkpoint');
  await using ledger = await openLedger(settings, email);
  for (let kill = 0; kill < kills; kill += 1) {
    await change(ledger);
    await postgres.kill();
    await postgres.untilAnswering();
  }
  return await ledger.disagreements();
}

describe.concurrent('PostgreSQL that is killed while a server is busy', () => {
  test(`${SIZE.kills} times loses nothing that was acknowledged, and the server keeps running`, {
    timeout: (SIZE.kills + 3) * KILL_LIMIT_MS,
  }, async () => {
    const { again, wrong, load, changes, exit } = await killUnderLoad(SIZE.kills);
    const answers = Math.max(...again.map(({ answersMs }) => answersMs));
    const ready = Math.max(...again.map(({ readyMs }) => readyMs));
    recordFigures('D1', [
      { name: 'kills', measured: String(again.length) },
      { name: 'answers, of them reads that were refused', measured: `${load.answers}, ${load.refusedReads}` },
      { name: 'sign-ins, refused', measured: `${load.signIns}, ${load.refusedSignIns}` },
      { name: 'changes acknowledged, refused', measured: `${changes.acknowledged}, ${changes.failed}` },
      none('lost, or answered wrongly', wrong.length),
      atMost('answers again after PostgreSQL, at most', answers, AGAIN_MS),
      { name: 'ready again after PostgreSQL, at most', measured: `${ready.toFixed(0)} ms` },
      none('servers that ended', exit === null ? 0 : 1),
    ]);
    expect(wrong).toEqual([]);
    expect(exit).toBe(null);
    expect(again).toHaveLength(SIZE.kills);
    // If the fault had no effect, the test would prove nothing.
    expect(load.refusedReads).toBeGreaterThan(0);
    expect(changes.acknowledged).toBeGreaterThan(0);
  });
});

describe.concurrent('PostgreSQL that acknowledges before it writes, and is killed', () => {
  const timeout = (SIZE.sabotaged + 2) * KILL_LIMIT_MS;

  test('still keeps every revocation', { timeout }, async () => {
    const wrong = await killOnceAcknowledged(async ({ create, revoke }) => {
      await revoke(await acknowledged(create));
    }, SIZE.sabotaged);
    expect(wrong).toEqual([]);
  });

  test('loses other changes, which is detected', { timeout }, async () => {
    const wrong = await killOnceAcknowledged(({ create }) => acknowledged(create), SIZE.sabotaged);
    expect(wrong).toEqual(Array(SIZE.sabotaged).fill(expect.stringMatching(/made, and gone/)));
  });
});
