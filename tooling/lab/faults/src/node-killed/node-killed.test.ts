import { setTimeout as delay } from 'node:timers/promises';
import { none, recordFigures, sized } from '@gatehouse/fault-figures';
import { freePorts } from '@gatehouse/test-database';
import { describe, expect, test } from 'vitest';
import { openLedger } from '../stage/ledger.ts';
import { startLoad } from '../stage/load.ts';
import { startNode } from '../stage/node.ts';
import { openPopulated } from '../stage/population.ts';
import { wrongVerdicts } from '../stage/verdicts.ts';
import { watchUsage } from './usage-watch.ts';

const SIZE = sized({ short: { kills: 3 }, full: { kills: 200 } });
const KILL_LIMIT_MS = 20_000;
/** Uses are stored within a second; on a busy machine, storing may take another second. */
const BEHIND_MS = 1000;
const STORING_MS = 1000;
/** The number of newest tokens used in requests after each kill; all are checked in the database. */
const NEWEST_TOKENS = 50;
const SABOTAGE = new URL('usage-sabotage.ts', import.meta.url).href;

const sabotaged = (how: string) => ({ NODE_OPTIONS: `--import=${SABOTAGE}`, SABOTAGE: how });

interface Killing {
  readonly kills: number;
  /** The time from a server's start to its kill, in milliseconds. */
  readonly aliveMs: (kill: number) => number;
  /** For the server only. */
  readonly settings?: Readonly<Record<string, string>>;
}

/** Kills a busy server again and again, and starts another in its place. */
async function killUnderLoad({ kills, aliveMs, settings: more = {} }: Killing) {
  // An interrupted sign-in still counts for its address.
  await using population = await openPopulated({ SIGN_IN_ADDRESS_ATTEMPTS: '1000000' });
  const { settings } = population;
  await using ledger = await openLedger(settings, population.email);
  await using usage = await watchUsage(population.url);
  const [port] = await freePorts(1);
  const url = `http://127.0.0.1:${port}`;
  const start = () => startNode({ ...settings, ...more, PORT: String(port) });

  const wrong: string[] = [];
  const behindMs: number[] = [];
  const seen = { tokens: 0, signIns: 0 };
  let node = await start();
  await using stack = new AsyncDisposableStack();
  stack.defer(() => node[Symbol.asyncDispose]());
  await using load = startLoad({ url, population, ledger, mayBeSilent: true, onAccepted: usage.used });
  for (let kill = 0; kill < kills; kill += 1) {
    // With cached tokens only, uses wait for their second to be stored.
    load.change(kill % 3 === 0);
    await delay(aliveMs(kill));
    const killedAt = Date.now();
    await node[Symbol.asyncDispose]();
    wrong.push(...node.complaints);
    behindMs.push(await usage.behind(killedAt));
    load.change(true);
    node = await start();
    const tokens = ledger.tokens.slice(seen.tokens);
    const signedIn = load.signedIn.slice(seen.signIns);
    seen.tokens += tokens.length;
    seen.signIns += signedIn.length;
    // The most recent uses are the ones that can be lost.
    const last = { tokens: tokens.slice(-NEWEST_TOKENS), signedIn };
    wrong.push(...(await wrongVerdicts(`${url}${population.path}`, last)));
    wrong.push(...(await ledger.disagreements()));
  }
  await load.stop();
  wrong.push(...load.wrong, ...(await ledger.disagreements()));
  return { behindMs, wrong, wrongUsage: usage.wrong, load: load.counts, changes: ledger.counts };
}

describe.concurrent('a busy server that is killed', () => {
  test(`${SIZE.kills} times loses nothing that was acknowledged, and at most a second of last uses`, {
    timeout: (SIZE.kills + 3) * KILL_LIMIT_MS,
  }, async () => {
    const { behindMs, wrong, wrongUsage, load, changes } = await killUnderLoad({
      kills: SIZE.kills,
      // At a different moment each time; mostly after more than a second.
      aliveMs: (kill) => 700 + ((kill * 347) % 1000),
    });
    const behind = Math.max(...behindMs);
    recordFigures('D2', [
      { name: 'kills', measured: String(behindMs.length) },
      { name: 'responses, requests without one', measured: `${load.answers}, ${load.silent}` },
      { name: 'sign-ins', measured: String(load.signIns) },
      { name: 'changes acknowledged', measured: String(changes.acknowledged) },
      none('lost, or answered wrongly', wrong.length),
      none('last uses that went back or ahead of time', wrongUsage.length),
      {
        name: 'oldest use that was lost',
        measured: `${behind.toFixed(0)} ms`,
        bar: '≤ 1 s and the flush',
        holds: behind <= BEHIND_MS + STORING_MS,
      },
    ]);
    expect(wrong).toEqual([]);
    expect(wrongUsage).toEqual([]);
    expect(behindMs).toHaveLength(SIZE.kills);
    expect(behind).toBeLessThanOrEqual(BEHIND_MS + STORING_MS);
    // If the fault had no effect, the test would prove nothing.
    expect(load.silent).toBeGreaterThan(0);
    expect(load.signIns).toBeGreaterThan(0);
    expect(behind).toBeGreaterThan(0);
  });

  test('loses more, and is detected, if it stores last uses rarely', {
    timeout: 3 * KILL_LIMIT_MS,
  }, async () => {
    const { behindMs, wrong, wrongUsage } = await killUnderLoad({
      kills: 1,
      // On a busy machine, the first use may be a second after the start.
      aliveMs: () => 2 * (BEHIND_MS + STORING_MS),
      settings: sabotaged('rarely'),
    });
    expect(behindMs[0]).toBeGreaterThan(BEHIND_MS + STORING_MS);
    expect([...wrong, ...wrongUsage]).toEqual([]);
  });

  test('is detected if it stores wrong last uses', { timeout: 3 * KILL_LIMIT_MS }, async () => {
    const { wrongUsage } = await killUnderLoad({
      kills: 1,
      aliveMs: () => 2500,
      settings: sabotaged('wildly'),
    });
    expect(wrongUsage).toContainEqual(expect.stringContaining('went back'));
    expect(wrongUsage).toContainEqual(expect.stringContaining('yet to come'));
  });
});
