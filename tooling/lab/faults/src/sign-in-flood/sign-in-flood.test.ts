import { availableParallelism } from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';
import { atMost, recordFigures, sized } from '@gatehouse/fault-figures';
import { expect, test } from 'vitest';
import { residentBytes } from '../stage/metrics.ts';
import { type Settings, startNode } from '../stage/node.ts';
import { openPopulated } from '../stage/population.ts';
import { percentile, startReader } from '../stage/reader.ts';
import { sabotage } from '../stage/sabotage.ts';
import { type FloodAnswer, type FloodOptions, flood, watchHashing } from './flood.ts';

const SIZE = sized({
  short: { clients: 300, lastsMs: 1000, patienceMs: 3_000, idleMs: 500, timeoutMs: 120_000 },
  full: { clients: 1000, lastsMs: 30_000, patienceMs: 50_000, idleMs: 10_000, timeoutMs: 300_000 },
});
/** Enough to reveal an unbounded hasher, but not enough to overload the machine. */
const SABOTAGED = { clients: 12, lastsMs: 0, patienceMs: 50_000 };
/** All hashes start at once. */
const SABOTAGE = sabotage({
  file: '/argon2-password-hasher.ts',
  find: "createFairQueue<'any'>({ concurrency,",
  replace: "createFairQueue<'any'>({ concurrency: Number.POSITIVE_INFINITY,",
});

/**
 * As in docs/operate/limits.md: one thread fewer than cores, at most 4; for each, eight sign-ins are active, and others
 * wait.
 */
const CONCURRENCY = Math.max(1, Math.min(4, availableParallelism() - 1));
const QUEUE = 256 + 8 * CONCURRENCY;
const MIB = 1024 * 1024;
const HASH_MIB = 19;

/** Lets clients sign in all at once while another client reads; before that, it reads alone. */
async function signInAll(crowd: Omit<FloodOptions, 'email' | 'password'>, more: Settings = {}) {
  const limits = { TRUST_PROXY: '127.0.0.1', SIGN_IN_ACCOUNT_FAILURES: '1000000' };
  await using database = await openPopulated(limits);
  const { settings, email, password, token, path } = database;
  await using node = await startNode({ ...settings, ...more });
  const signIns = { ...crowd, email, password };
  // A warmed-up server: the flood should not include what it compiles first.
  await flood(node.url, { ...signIns, clients: 1, lastsMs: SIZE.idleMs });
  const reading = { url: `${node.url}${path}`, token, everyMs: 5 };
  const alone = await startReader(reading);
  await delay(SIZE.idleMs);
  const idle = await alone.stop();
  const residentBefore = await residentBytes(node.opsUrl);
  const watch = watchHashing(node);
  const reader = await startReader(reading);
  const answers = await flood(node.url, signIns);
  const readings = await reader.stop();
  const most = await watch.stop();
  return { answers, idle, readings, most, grownMiB: (most.residentBytes - residentBefore) / MIB };
}

const withStatus = (answers: readonly FloodAnswer[], wanted: number) =>
  answers.filter(({ status }) => status === wanted);

test(`${SIZE.clients} sign-ins at once hash up to the limit, the others get a Retry-After, and reads continue`, {
  timeout: SIZE.timeoutMs,
}, async () => {
  const { answers, idle, readings, most, grownMiB } = await signInAll(SIZE);
  const [accepted, refused] = [withStatus(answers, 200), withStatus(answers, 503)];
  const excess = refused.filter(({ isExcess }) => isExcess);
  const toldIn = (part: number, since = 0) =>
    percentile(
      excess.filter(({ sentAtMs }) => sentAtMs >= since).map(({ tookMs }) => tookMs),
      part,
    );
  const [idleP99, p99] = [percentile(idle.took, 0.99), percentile(readings.took, 0.99)];
  recordFigures('O2', [
    { name: 'clients at once, each of a network of its own', measured: String(SIZE.clients) },
    { name: 'sign-ins accepted, refused with 503', measured: `${accepted.length}, ${refused.length}` },
    {
      name: 'of these, because the database kept them waiting',
      measured: `${refused.length - excess.length}`,
    },
    {
      name: 'hashes at once, at most',
      measured: `${most.active}, of ${HASH_MIB} MiB each`,
      bar: `≤ ${CONCURRENCY}`,
      holds: most.active <= CONCURRENCY,
    },
    { name: 'sign-ins that waited to be hashed, at most', measured: String(most.waiting) },
    { name: 'resident memory more than before, at most', measured: `${grownMiB.toFixed(0)} MiB` },
    { name: 'refused for a full queue after, p50', measured: `${toldIn(0.5).toFixed(0)} ms` },
    atMost('refused for a full queue after, p99', toldIn(0.99), 100),
    {
      name: 'the same without the first second, in which all clients come at once, p99',
      measured: `${toldIn(0.99, 1000).toFixed(0)} ms`,
    },
    {
      name: 'reads meanwhile, not answered',
      measured: `${readings.took.length}, ${readings.failures.length}`,
    },
    { name: 'p99 of reads before', measured: `${idleP99.toFixed(1)} ms` },
    {
      name: 'p99 of reads meanwhile',
      measured: `${p99.toFixed(1)} ms`,
      bar: `≤ ${(idleP99 + 10).toFixed(1)} ms`,
      holds: p99 <= idleP99 + 10,
    },
  ]);
  expect(accepted.length + refused.length).toBe(answers.length);
  expect(excess.length).toBeGreaterThan(0);
  for (const { retryAfter } of refused) expect(retryAfter).toMatch(/^[1-9]\d*$/);
  expect(most.active).toBeLessThanOrEqual(CONCURRENCY);
  expect(most.waiting).toBeLessThanOrEqual(QUEUE);
  expect(most.waiting).toBeGreaterThan(0);
  expect(readings.failures).toEqual([]);
  expect(readings.took.length).toBeGreaterThan(0);
});

test('an unbounded hasher is detected', { timeout: SIZE.timeoutMs }, async () => {
  const { most } = await signInAll(SABOTAGED, SABOTAGE);
  expect(most.active).toBeGreaterThan(CONCURRENCY);
});
