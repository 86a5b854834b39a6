import { setTimeout as delay } from 'node:timers/promises';
import { atMost, none, recordFigures, sized } from '@gatehouse/fault-figures';
import { openTableLock } from '@gatehouse/test-database';
import { describe, expect, test } from 'vitest';
import { type Settings, startNode } from '../stage/node.ts';
import { openPopulated } from '../stage/population.ts';
import { percentile } from '../stage/reader.ts';
import { repeat } from '../stage/repeat.ts';
import { type Answered, ask, askAs, newTokens, poolAtRest, untilReadsWait } from './slow-statements.ts';

const SIZE = sized({
  short: { timeOuts: 100, timeoutMs: 60_000 },
  full: { timeOuts: 10_000, timeoutMs: 600_000 },
});
/** The number of concurrent requests, each with its own token. */
const AT_ONCE = 100;
/** The time between two starts, in milliseconds. */
const APART_MS = 2;
/**
 * How long to wait until one of the first statements reaches the database, in milliseconds: without a connection, none
 * does.
 */
const MAX_FIRST_MS = 200;
const POOL_SIZE = 4;
/** One connection is reserved for sign-ins. */
const READ_CONNECTIONS = POOL_SIZE - 1;
/** The limit for a response, in milliseconds. */
const WITHIN_MS = 1000;
/** The time after releasing a lock within which waiting statements must finish, in milliseconds. */
const AT_REST_MS = 1000;
const SABOTAGE = new URL('pool-sabotage.ts', import.meta.url).href;

/** Lets requests time out because every connection is in use, and then checks the pool. */
async function exhaust(timeOuts: number, more: Settings = {}) {
  await using database = await openPopulated();
  const { settings, email, password, token, path } = database;
  const unknown = await newTokens(settings, email, AT_ONCE);
  await using node = await startNode({ ...settings, DATABASE_POOL_SIZE: String(POOL_SIZE), ...more });
  await using lock = await openTableLock(database.url, 'tokens');
  const url = `${node.url}${path}`;
  const signIns: Answered[] = [];
  /** The first requests begin one after another's statement, because reads that begin at once would share one. */
  async function askWithUnknown() {
    const asked: Promise<Answered>[] = [];
    for (const secret of unknown) {
      asked.push(askAs(url, secret));
      if (asked.length <= READ_CONNECTIONS) await untilReadsWait(lock, asked.length, MAX_FIRST_MS);
      else await delay(APART_MS);
    }
    return Promise.all(asked);
  }
  const signIn = () =>
    ask(`${node.url}/api/v1/auth.json`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ email, password }),
    });

  /** Lets requests time out, and returns how many statements reached the database at once. */
  async function timeOut(atLeast: number) {
    const answers: Answered[] = [];
    let slots = 0;
    await lock.take();
    do {
      const asking = askWithUnknown();
      await delay(500);
      slots = Math.max(slots, await lock.waitingReads());
      if (answers.length === 0) signIns.push(await signIn());
      answers.push(...(await asking));
    } while (answers.length < atLeast);
    await lock.release();
    return { answers, slots };
  }

  for (const _ of [1, 2]) await Promise.all(unknown.map(() => askAs(url, token)));
  const known: Answered[] = [];
  const asking = repeat(2, async () => known.push(await askAs(url, token)));
  const first = await timeOut(timeOuts);
  const pool = await poolAtRest(node, AT_REST_MS);
  const again = await timeOut(1);
  await poolAtRest(node, AT_REST_MS);
  // One after another, because so many at once could be too much even for an intact small pool.
  let served = 0;
  while (served < AT_ONCE && (await askAs(url, unknown[served] ?? '')).status === 200) served += 1;
  await asking.stop();
  return {
    refused: first.answers,
    signIns,
    known,
    pool,
    slots: { before: first.slots, after: again.slots },
    served,
  };
}

const msOf = (answers: readonly Answered[]) => answers.map(({ ms }) => ms);

describe.concurrent('a pool with all connections waiting for slow statements', () => {
  test(`refuses ${SIZE.timeOuts} requests in time, serves cached data, and loses no connection`, {
    timeout: SIZE.timeoutMs,
  }, async () => {
    const { refused, signIns, known, pool, slots, served } = await exhaust(SIZE.timeOuts);
    const slowest = percentile(msOf(refused), 1);
    recordFigures('O1', [
      { name: 'time-outs', measured: String(refused.length) },
      atMost('refused after, at most', slowest, WITHIN_MS),
      { name: 'refused after, p50', measured: `${percentile(msOf(refused), 0.5).toFixed(0)} ms` },
      { name: 'sign-ins refused after, at most', measured: `${percentile(msOf(signIns), 1).toFixed(0)} ms` },
      {
        name: 'requests answered from memory meanwhile, p99',
        measured: `${known.length}, ${percentile(msOf(known), 0.99).toFixed(1)} ms`,
      },
      none('connections lost', READ_CONNECTIONS - slots.after),
    ]);
    for (const { status, retryAfter } of [...refused, ...signIns]) {
      expect([status, retryAfter]).toEqual([503, '1']);
    }
    expect(known.filter(({ status }) => status !== 200)).toEqual([]);
    expect(pool).toEqual({ busy: 0, waiting: 0 });
    expect(slots).toEqual({ before: READ_CONNECTIONS, after: READ_CONNECTIONS });
    expect(served).toBe(AT_ONCE);
  });

  test('is detected if it loses a connection after a time-out', {
    timeout: 60_000,
  }, async () => {
    const { pool, slots, served } = await exhaust(1, { NODE_OPTIONS: `--import=${SABOTAGE}` });
    expect(pool.busy).toBeGreaterThan(0);
    expect(slots.after).toBeLessThan(slots.before);
    expect(served).toBeLessThan(AT_ONCE);
  });
});
