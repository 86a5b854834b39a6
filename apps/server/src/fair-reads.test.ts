import { randomBytes } from 'node:crypto';
import { UnavailableFault } from '@gatehouse/domain';
import { createPostgresRepositories } from '@gatehouse/postgres';
import { createFairQueue } from '@gatehouse/queues';
import { openDistantDatabase } from '@gatehouse/test-database';
import { describe, expect, test } from 'vitest';
import { call, signInWith, tokenIn } from '../testing/client.ts';
import { keepAsking } from '../testing/keep-asking.ts';
import { type ReplaceableParts, serveNode } from '../testing/serve-node.ts';
import { servePostgres } from '../testing/serve-postgres.ts';
import { createVisitor } from '../testing/visitor.ts';

/**
 * How many times slower than with a database at a distance of 10 ms everything is: its statements, and the time that
 * requests wait for them. What is left for the processor to do in that time decides nothing then, even on a busy machine.
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
async function statusesDuring(
  { environment, path, credentials, host }: Flood,
  asked: Asked,
  replace: (parts: ReplaceableParts) => void = () => undefined,
) {
  await using near = await servePostgres();
  const { masterKey, demo, testDatabase } = near;
  await using distant = await openDistantDatabase(testDatabase.url, DATABASE_ONE_WAY_MS);
  await using node = await serveNode({
    databaseUrl: distant.url,
    listenUrl: testDatabase.url,
    masterKey,
    environment,
    patience: SLOWNESS,
    replace,
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

/** Reads wait for a place in the order in which they come, whichever user they are for. */
const withoutTurns = ({ container, database }: ReplaceableParts) => {
  const queue = createFairQueue<'any'>({ concurrency: 9, queued: 4_096, queuedPerKey: 4_096 });
  const inOrder: typeof database.inTurn = async (_turn, read) => {
    const admitted = await database.inTime(queue.run('any', read));
    if (admitted.ok) return admitted.value;
    throw new UnavailableFault('too many reads wait');
  };
  const unfair: typeof database = { ...database, inTurn: inOrder, sharingInTurn: inOrder };
  container.override('repositories', () => createPostgresRepositories(unfair));
};

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
    // Each waits as long as requests may, so a few have to do.
    const { reads, signIns } = await statusesDuring(flood, { reads: 5, signIns: 1 }, withoutTurns);
    const refused = [...reads, ...signIns].filter((status) => status === 503);
    expect(refused.length).toBeGreaterThan(3);
  });
});
