import { randomBytes } from 'node:crypto';
import type { UserId } from '@gatehouse/domain/users';
import { createVisitor } from '@gatehouse/pages/testing';
import type { createFairQueue } from '@gatehouse/queues';
import { openDistantDatabase } from '@gatehouse/test-database';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { call, signInWith, tokenIn } from '../../testing/client.ts';
import { keepAsking } from '../../testing/keep-asking.ts';
import { startTestServer } from '../../testing/start-test-server.ts';

const queues = vi.hoisted(() => ({ areFair: true }));
afterEach(() => {
  queues.areFair = true;
});

const ANY = 1 as UserId;
/** As many reads as a default pool has connections for them. */
const AT_ONCE = 9;

/** Sabotage: callers get places in the order of their arrival, whatever their user, and even if they no longer want them. */
vi.mock('@gatehouse/queues', async (importOriginal) => {
  const original = await importOriginal<typeof import('@gatehouse/queues')>();
  const inOrder: typeof createFairQueue = (limits) => {
    const { concurrencyPerKey: _, ...most } = limits;
    const queue = original.createFairQueue<'any'>({
      ...most,
      concurrency: Math.min(limits.concurrency, AT_ONCE),
      queuedPerKey: limits.queued,
    });
    return {
      enterNow: () => queue.enterNow('any'),
      enter: (_key, { waitMs } = {}) => queue.enter('any', waitMs === undefined ? {} : { waitMs }),
      leave: () => queue.leave('any'),
      run: (_key, work) => queue.run('any', work),
      runNow: (_key, work) => queue.runNow('any', work),
      load: queue.load,
    };
  };
  const create: typeof createFairQueue = (limits) =>
    queues.areFair ? original.createFairQueue(limits) : inOrder(limits);
  return { ...original, createFairQueue: create };
});

/** And pages and unknown clients have no lane of their own. */
vi.mock('@gatehouse/postgres', async (importOriginal) => {
  const original = await importOriginal<typeof import('@gatehouse/postgres')>();
  const onBehalf: typeof original.onBehalf = {
    ...original.onBehalf,
    ofClient: (address, work) =>
      queues.areFair ? original.onBehalf.ofClient(address, work) : original.onBehalf.ofUser(ANY, work),
  };
  const onPageOf: typeof original.onPageOf = (user, work) =>
    queues.areFair ? original.onPageOf(user, work) : original.onBehalf.ofUser(ANY, work);
  return { ...original, onBehalf, onPageOf };
});

/**
 * How many times slower than with a database at a distance of 10 ms everything is: its statements, and the time that
 * requests wait for them. Then the processor's own work in that time does not matter, even on a busy machine.
 */
const SLOWNESS = 3;
const DATABASE_ONE_WAY_MS = 10 * SLOWNESS;
const FLOOD = { connections: 20, pipelined: 25 };
const NOT_CACHED = { CACHE_TOKENS: '0', CACHE_ORGANIZATIONS: '0' };

let unusedId = 1_000_000_000;
const unused = () => `/api/v1/orgs/${unusedId++}`;

interface Flood {
  readonly environment: Record<string, string>;
  readonly path: () => string;
  /** Default: the token of a member. @param member the cookie of a member’s session */
  readonly credentials?: (member: string) => string;
  /** Default: that of the server's address. */
  readonly host?: string;
}

const ABSENT: Flood = { environment: {}, path: unused };
const UNCACHED: Flood = { environment: NOT_CACHED, path: () => '/api/v1/me.json' };
const MADE_UP_SESSIONS: Flood = {
  environment: {},
  path: () => '/settings/password',
  credentials: () => `Cookie: gatehouse=${randomBytes(32).toString('base64url')}`,
};

const OWN_SESSION: Flood = {
  environment: {},
  path: () => '/settings/sessions',
  credentials: (member) => `Cookie: ${member}`,
};

let network = 0;

/** As one client can have them that was given a /48 of IPv6. */
const MADE_UP_SESSIONS_OF_MANY_NETWORKS: Flood = {
  ...MADE_UP_SESSIONS,
  environment: { PUBLIC_URL: 'http://gatehouse.example', TRUST_PROXY: '127.0.0.1' },
  host: 'gatehouse.example',
  credentials: () => {
    network += 1;
    return `${MADE_UP_SESSIONS.credentials?.('')}\r\nX-Forwarded-For: 2001:db8:1:${network.toString(16)}::1`;
  },
};

interface Asked {
  readonly reads: number;
  readonly signIns: number;
}

/** The statuses of reads that are not cached and of sign-ins, while another client asks without end. */
async function statusesDuring({ environment, path, credentials, host }: Flood, asked: Asked) {
  await using near = await startTestServer({ database: 'postgres' });
  const { demo, database } = near;
  await using distant = await openDistantDatabase(database.url, DATABASE_ONE_WAY_MS);
  await using node = await startTestServer({
    database: { url: distant.url, listenUrl: database.url, masterKey: database.masterKey },
    settings: environment,
    patience: SLOWNESS,
  });
  const token = tokenIn(await signInWith(near.url, demo.member));
  const visitor = createVisitor(near.url);
  await visitor.signIn(demo.member);
  const member = `gatehouse=${visitor.cookies.get('gatehouse')}`;
  const { host: ownHost } = new URL(node.url);
  const next = () =>
    `GET ${path()} HTTP/1.1\r\nHost: ${host ?? ownHost}\r\n${credentials?.(member) ?? `Authorization: Bearer ${token}`}\r\n\r\n`;
  const flood = await keepAsking(node.url, { ...FLOOD, next });
  const reads: number[] = [];
  const signIns: number[] = [];
  const read = async () => {
    for (let count = 0; count < asked.reads; count += 1) {
      reads.push((await call(node.url, unused(), { token: demo.token })).status);
    }
  };
  const signIn = async () => {
    for (let count = 0; count < asked.signIns; count += 1) {
      signIns.push((await signInWith(node.url, demo.admin)).status);
    }
  };
  await Promise.all([read(), signIn()]);
  flood.stop();
  return { reads, signIns, answers: flood.answers };
}

describe.each([
  ['one user’s token that without end asks for organizations that do not exist', ABSENT],
  ['one user’s token that without end asks who it is, on a server without caches', UNCACHED],
  ['a client that without end asks for pages with sessions that do not exist', MADE_UP_SESSIONS],
  ['a client that does so from a network of its own each time', MADE_UP_SESSIONS_OF_MANY_NETWORKS],
  ['a member who without end asks for a page', OWN_SESSION],
])('%s', (_, flood) => {
  test('prevents no read and no sign-in of other users', async () => {
    const { reads, signIns, answers } = await statusesDuring(flood, { reads: 12, signIns: 2 });
    expect([reads, signIns]).toEqual([Array(12).fill(404), Array(2).fill(200)]);
    // Or it would be no flood.
    expect(answers.get(503)).toBeGreaterThan(0);
  });

  test('is detected if reads are made in the order of arrival', async () => {
    queues.areFair = false;
    // Each waits as long as requests may, so a few have to do.
    const { reads, signIns } = await statusesDuring(flood, { reads: 5, signIns: 1 });
    const refused = [...reads, ...signIns].filter((status) => status === 503);
    expect(refused.length).toBeGreaterThan(3);
  });
});
