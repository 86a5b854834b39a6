import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';
import { none, recordFigures, sized } from '@gatehouse/fault-figures';
import { openDistantDatabase } from '@gatehouse/test-database';
import { describe, expect, test } from 'vitest';
import { type ServerNode, type Settings, startNode } from '../stage/node.ts';
import { openPopulated } from '../stage/population.ts';
import { percentile, startReader } from '../stage/reader.ts';
import { repeat } from '../stage/repeat.ts';
import { sabotage } from '../stage/sabotage.ts';
import { startThread } from '../stage/thread.ts';
import { anonymousRequests } from './anonymous-requests.ts';
import type { Flooded, FloodTask } from './flood-thread.ts';

/**
 * `refused`: the share of other clients' requests that may be refused. The short size allows a few, because other tests
 * run at the same time, and a read may then time out without any flood.
 */
const SIZE = sized({
  short: {
    connections: 100,
    pipelined: 20,
    perSecond: 1_500,
    lastsMs: 3_000,
    refused: 0.05,
    timeoutMs: 90_000,
  },
  full: {
    connections: 2_000,
    pipelined: 20,
    perSecond: 2_000,
    lastsMs: 60_000,
    refused: 0,
    timeoutMs: 300_000,
  },
});
const SIGN_IN_EVERY_MS = 200;
const READ_EVERY_MS = 10;
/** A lower rate would not be a flood. */
const MIN_ANSWERED = (SIZE.perSecond * SIZE.lastsMs) / 1000 / 4;
/**
 * At this rate each connection to the database makes 50 statements a second, and both 100. Other clients need fewer.
 * The flood would make more, because a third of it reads key sets, even if the machine is so busy that only the minimum
 * is answered.
 */
const DATABASE_ONE_WAY_MS = 10;
const POOL_SIZE = 2;
const WARM_UP_TURNS = 3;
/** Each request for a key set reads the database by itself. */
const SABOTAGE = sabotage(
  {
    file: '/cached-signing-keys.ts',
    find: 'async () => (await list()) ?? []',
    replace: '() => signingKeys.list()',
  },
  {
    file: '/coalesced-reads.ts',
    find: 'return (key, read) => {',
    replace: 'return (_key, read) => read();\n  return (key, read) => {',
  },
);
const THREAD = new URL('flood-thread.ts', import.meta.url);

/** Collects, from now on, what the server logs about sign-ins and about its own failures. */
function watchLog({ process: { stdout } }: ServerNode) {
  const signIns = new Map<string, string>();
  const faults: string[] = [];
  let lines = 0;
  createInterface({ input: stdout as NodeJS.ReadableStream }).on('line', (line) => {
    lines += 1;
    if (!/"kind":"(?:sign_in|unavailable)"/.test(line)) return;
    const { kind, request_id: id, outcome, err } = JSON.parse(line);
    if (kind === 'sign_in') signIns.set(id, outcome);
    else faults.push(err.message);
  });
  return { signIns, faults, lines: () => lines };
}

/** Signs in again and again, each time with another request id. */
function keepSigningIn(url: string, fields: object) {
  const statuses = new Map<string, number>();
  const signingIn = repeat(SIGN_IN_EVERY_MS, async () => {
    const id = `sign-in-${statuses.size}`;
    const response = await fetch(`${url}/api/v1/auth.json`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-request-id': id },
      body: JSON.stringify(fields),
    });
    await response.arrayBuffer();
    statuses.set(id, response.status);
  });
  return { stop: () => signingIn.stop().then(() => statuses) };
}

/** Makes other clients read uncached data and sign in, while a flood without tokens covers every path. */
async function floodAnonymously(more: Settings = {}) {
  await using database = await openPopulated();
  const { settings, url, email, password, token, path } = database;
  await using distant = await openDistantDatabase(url, DATABASE_ONE_WAY_MS);
  await using node = await startNode({
    ...settings,
    DATABASE_URL: distant.url,
    DATABASE_POOL_SIZE: String(POOL_SIZE),
    // Each of their reads needs the database.
    CACHE_TOKENS: '0',
    CACHE_ORGANIZATIONS: '0',
    SIGN_IN_ADDRESS_ATTEMPTS: '1000000',
    // All of them have one address.
    MAX_CONNECTIONS_PER_ADDRESS: '10000',
    ...more,
  });
  const read = async () => {
    const response = await fetch(`${node.url}${path}`, { headers: { authorization: `Bearer ${token}` } });
    await response.arrayBuffer();
  };
  // Warms the server up: the flood should not include what it opens and compiles first.
  for (let turn = 0; turn < WARM_UP_TURNS; turn += 1) {
    await Promise.all(Array.from({ length: 4 * POOL_SIZE }, read));
  }
  const log = watchLog(node);
  const requests = await anonymousRequests(node.url);
  const { connections, pipelined, perSecond, lastsMs } = SIZE;
  const task: FloodTask = {
    url: node.url,
    requests,
    connections,
    pipelined,
    perSecond,
    minAnswered: MIN_ANSWERED,
  };
  const flood = await startThread<Flooded>(THREAD, task);
  const reader = await startReader({ url: `${node.url}${path}`, token, everyMs: READ_EVERY_MS });
  const signingIn = keepSigningIn(node.url, { email, password });
  await delay(lastsMs);
  const flooded = await flood.stop();
  const [readings, signIns] = [await reader.stop(), await signingIn.stop()];
  node.process.kill('SIGTERM');
  await node.ended;
  return { requests, readings, signIns, flooded, log };
}

const refusedOf = (statuses: ReadonlyMap<string, number>) =>
  [...statuses.values()].filter((status) => status !== 200);

/** The share of refused reads and sign-ins of other clients. */
function shareRefused(
  { took, failures }: { readonly took: readonly unknown[]; readonly failures: readonly unknown[] },
  signIns: ReadonlyMap<string, number>,
): number {
  return (failures.length + refusedOf(signIns).length) / (took.length + failures.length + signIns.size);
}

describe('anonymous requests to every path', () => {
  test(`on ${SIZE.connections} connections affect neither other clients’ database connections nor the log of sign-ins`, {
    timeout: SIZE.timeoutMs,
  }, async () => {
    const { requests, readings, signIns, flooded, log } = await floodAnonymously();
    const answered = Object.values(flooded.answers).reduce((sum, count) => sum + count, 0);
    const missing = [...signIns.keys()].filter((id) => !log.signIns.has(id));
    recordFigures('O6', [
      {
        name: 'connections at once, requests pipelined on each',
        measured: `${flooded.held}, ${SIZE.pipelined}`,
      },
      { name: 'different requests, answers', measured: `${requests.length}, ${answered}` },
      none('reads of others that were not cached, refused', readings.failures.length, readings.took.length),
      { name: 'p99 of these reads', measured: `${percentile(readings.took, 0.99).toFixed(1)} ms` },
      none('sign-ins of others, refused', refusedOf(signIns).length, signIns.size),
      {
        name: 'sign-ins missing in the log, of its lines',
        measured: `${missing.length}, ${log.lines()}`,
        bar: '0',
        holds: missing.length === 0,
      },
    ]);
    expect(flooded.held).toBeGreaterThan(SIZE.connections / 2);
    expect(answered).toBeGreaterThanOrEqual(MIN_ANSWERED);
    expect(readings.took.length).toBeGreaterThan(0);
    expect(shareRefused(readings, signIns)).toBeLessThanOrEqual(SIZE.refused);
    if (SIZE.refused === 0) expect(log.faults).toEqual([]);
    expect(missing).toEqual([]);
  });

  test('take connections, and are detected, if each request for a key set reads', {
    timeout: SIZE.timeoutMs,
  }, async () => {
    const { readings, signIns, log } = await floodAnonymously(SABOTAGE);
    expect(log.faults.length).toBeGreaterThan(0);
    // The test above fails by the same limit.
    expect(shareRefused(readings, signIns)).toBeGreaterThan(SIZE.refused);
  });
});
