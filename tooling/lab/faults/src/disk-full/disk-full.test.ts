import { setTimeout as delay } from 'node:timers/promises';
import { ok } from '@gatehouse/domain';
import type { TokenRepository } from '@gatehouse/domain/tokens';
import { none, recordFigures, recordSkip, sized } from '@gatehouse/fault-figures';
import { describe, expect, test } from 'vitest';
import { statusOf, untilReady, untilStatus } from '../stage/ask.ts';
import { gatehouse } from '../stage/commands.ts';
import { type Ledger, type LedgerToken, openLedger } from '../stage/ledger.ts';
import { startLoad } from '../stage/load.ts';
import { startNode } from '../stage/node.ts';
import { populate, settingsOf } from '../stage/population.ts';
import type { ReplaceTokens } from '../stage/store.ts';
import { until } from '../stage/until.ts';
import { wrongVerdicts } from '../stage/verdicts.ts';
import { startOnDisks } from './disks.ts';
import { keepLog, untilLogIsFull } from './fill-log.ts';
import { obstacleToMounting } from './small-disk.ts';

const obstacle = await obstacleToMounting();
if (obstacle !== undefined) recordSkip('D3', obstacle);

const ROUNDS = sized({ short: 1, full: 10 });
const ROUND_LIMIT_MS = 60_000;
/** The number of consecutive refusals that shows that the disk is full. */
const IN_A_ROW = 20;
/** More tokens than can be revoked in the space left in the tables' pages. */
const MORE_THAN_FIT = 250;
/** The time after which no cached entry may be used, in milliseconds. */
const BOUND_MS = 1000;

/** Sign-ins that fail because the disk is full still count. */
const NO_LIMITS = { SIGN_IN_ADDRESS_ATTEMPTS: '1000000', SIGN_IN_ACCOUNT_FAILURES: '1000000' };

/** Makes changes until the disk is full. */
async function untilNoRoom(change: () => Promise<boolean>): Promise<void> {
  let refused = 0;
  await until('there is no room', async () => {
    const done = await Promise.all([1, 2, 3, 4].map(change));
    refused = done.some(Boolean) ? 0 : refused + done.length;
    return refused >= IN_A_ROW;
  });
}

async function create({ create }: Ledger, count: number): Promise<LedgerToken[]> {
  const made: LedgerToken[] = [];
  await until(`${count} tokens are made`, async () => {
    const tokens = await Promise.all(Array.from({ length: 20 }, () => create()));
    made.push(...tokens.filter((token) => token !== undefined));
    return made.length >= count;
  });
  return made;
}

/** Waits until no token can be created, and none of these can be revoked. */
async function untilNothingFits({ create, revoke }: Ledger, waiting: LedgerToken[]): Promise<void> {
  await untilNoRoom(async () => (await create()) !== undefined);
  await untilNoRoom(async () => {
    const token = waiting.shift();
    if (token === undefined) throw new Error('there was room to revoke all of them');
    const acknowledged = await revoke(token);
    if (!acknowledged) waiting.push(token);
    return acknowledged;
  });
}

async function fillUnderLoad(rounds: number) {
  await using disks = await startOnDisks();
  const { postgres, data, log } = disks;
  const settings = settingsOf(postgres.url);
  const population = await populate(settings);
  await using node = await startNode({ ...settings, ...NO_LIMITS });
  await using ledger = await openLedger(settings, population.email);
  const url = `${node.url}${population.path}`;
  await using load = startLoad({ url: node.url, population, ledger });
  const wrong: string[] = [];
  const waiting: LedgerToken[] = [];
  const asAda = ['--as', population.email, '--yes'];
  const seen = { readsRefused: 0, acknowledged: 0, answersMs: 0 };

  /** Tries the change and returns whether it was refused. If the disk has room again, the change succeeds. */
  async function revokeByCommand(): Promise<boolean> {
    const token = waiting.shift() ?? expect.fail();
    token.revokingSince ??= performance.now();
    const said = await gatehouse(settings, ['token', 'revoke', token.id, ...asAda]).catch(String);
    if (said === '') token.revokedAt = performance.now();
    else if (!said.includes('ended (1): error: the database')) wrong.push(said);
    return said !== '';
  }

  async function fillData(): Promise<void> {
    waiting.push(...(await create(ledger, MORE_THAN_FIT)));
    const { refusedReads, refusedSignIns } = load.counts;
    data.fill();
    await untilNothingFits(ledger, waiting);
    await until('sign-ins are refused', () => load.counts.refusedSignIns >= refusedSignIns + 3);
    seen.readsRefused += load.counts.refusedReads - refusedReads;
    await until('a command is refused', revokeByCommand);
    await data.free();
    const token = waiting.shift() ?? expect.fail();
    await until('a token is revoked', () => ledger.revoke(token));
  }

  async function fillLog(): Promise<void> {
    const release = await keepLog(postgres);
    log.fill();
    await untilLogIsFull(postgres);
    await delay(BOUND_MS);
    const { acknowledged } = ledger.counts;
    const status = await statusOf(url, population.token);
    if (status !== 503) wrong.push(`without a database: ${status}`);
    await delay(BOUND_MS / 4);
    seen.acknowledged += ledger.counts.acknowledged - acknowledged;
    await log.free();
    await postgres.untilAnswering();
    seen.answersMs = Math.max(seen.answersMs, await untilStatus(200, url, population.token));
    await release();
  }

  for (let round = 0; round < rounds; round += 1) {
    for (const fill of [fillData, fillLog]) {
      await fill();
      const { signIns } = load.counts;
      await until('sign-ins are accepted', () => load.counts.signIns >= signIns + 2);
      await untilReady(node.opsUrl);
      wrong.push(...(await ledger.disagreements()));
    }
  }
  await load.stop();
  const tokens = ledger.tokens.slice(-100);
  wrong.push(...load.wrong, ...(await ledger.disagreements()));
  wrong.push(...(await wrongVerdicts(url, { tokens, signedIn: load.signedIn.slice(-20) })));
  wrong.push(...node.complaints);
  return { wrong, ...seen, load: load.counts, changes: ledger.counts, exit: node.process.exitCode };
}

/** Sabotage: acknowledges a revocation before it is stored. */
const tellEarly: ReplaceTokens = (tokens: TokenRepository) => ({
  ...tokens,
  async revoke(id, revocation, event) {
    tokens.revoke(id, revocation, event).catch(() => undefined);
    const token = await tokens.findRecord(id);
    return token ? ok({ already: false, token }) : tokens.revoke(id, revocation, event);
  },
});

describe.skipIf(obstacle !== undefined).concurrent('a full disk of PostgreSQL', () => {
  test('makes changes fail but no reads, and everything works once it has room again', {
    timeout: (ROUNDS + 1) * ROUND_LIMIT_MS,
  }, async () => {
    const { wrong, load, changes, exit, ...seen } = await fillUnderLoad(ROUNDS);
    const { readsRefused, acknowledged, answersMs } = seen;
    recordFigures('D3', [
      { name: 'disks filled', measured: `${ROUNDS} x data, ${ROUNDS} x write-ahead log` },
      { name: 'answers', measured: String(load.answers) },
      { name: 'sign-ins, refused', measured: `${load.signIns}, ${load.refusedSignIns}` },
      { name: 'changes acknowledged, refused', measured: `${changes.acknowledged}, ${changes.failed}` },
      none('acknowledged and not done, or answered wrongly', wrong.length),
      none('reads refused while there is no room for data', readsRefused),
      { name: 'answers again after PostgreSQL, at most', measured: `${answersMs.toFixed(0)} ms` },
    ]);
    expect(wrong).toEqual([]);
    expect(readsRefused).toBe(0);
    expect(acknowledged).toBe(0);
    expect(exit).toBe(null);
  });

  test('a store that acknowledges a revocation too early is detected', {
    timeout: 2 * ROUND_LIMIT_MS,
  }, async () => {
    await using disks = await startOnDisks();
    const settings = settingsOf(disks.postgres.url);
    const { email } = await populate(settings);
    await using ledger = await openLedger(settings, email, tellEarly);
    const waiting = await create(ledger, MORE_THAN_FIT);
    disks.data.fill();
    await untilNoRoom(async () => (await ledger.create()) !== undefined);
    for (const token of waiting) await ledger.revoke(token);
    const wrong = await ledger.disagreements();
    expect(wrong.length).toBeGreaterThanOrEqual(IN_A_ROW);
    expect(wrong).toEqual(wrong.map(() => expect.stringContaining('revoked, and good again')));
  });
});
