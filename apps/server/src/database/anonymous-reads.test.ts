import { setTimeout as delay } from 'node:timers/promises';
import { openTableLock } from '@gatehouse/test-database';
import { expect, test, vi } from 'vitest';
import { call } from '../../testing/client.ts';
import { encode, jwtHeader } from '../../testing/forge.ts';
import type { DemoServer } from '../../testing/postgres-server.ts';
import { hearNothing } from '../../testing/sabotage.ts';
import { startTestServer } from '../../testing/start-test-server.ts';

const METHODS = ['GET', 'HEAD', 'OPTIONS', 'POST', 'PUT', 'PATCH', 'DELETE'];
/** More at once than there are connections, by far. */
const AT_ONCE = 200;

/** The paths of all routes, with any id, and one path without a route. */
const pathsOf = ({ container }: DemoServer) => [
  ...container.services.app.paths.map((path) => path.replace(/:\w+/, '1')),
  '/nowhere',
];

/** Nothing, and texts that are no tokens; each gets to another depth of the decision. */
const CREDENTIALS = [
  {},
  { token: 'garbage' },
  { token: `${encode(jwtHeader({ id: 'unknown' as never }))}.${encode('{}')}.${'A'.repeat(86)}` },
  { headers: { authorization: 'Basic eDp5' } },
];

const requests = (served: DemoServer) =>
  pathsOf(served).flatMap((path) =>
    METHODS.flatMap((method) =>
      CREDENTIALS.map((credentials) => ({ path, call: { ...credentials, method } })),
    ),
  );

test('no request without a token reads the database while changes are heard, whatever its path and method', async () => {
  // Cached data must not be read again because this machine is busy.
  await using served = await startTestServer({
    database: 'postgres',
    settings: { MAX_STALENESS_MS: '60000' },
  });
  await vi.waitUntil(() => served.container.services.feed.state().trusted);
  const asked = requests(served);
  // After the first of each kind, what they need is held.
  for (const { path, call: request } of asked) await call(served.url, path, request);
  const before = served.statements();
  const statuses = new Set<number>();
  for (const { path, call: request } of asked) statuses.add((await call(served.url, path, request)).status);
  expect(served.statements() - before).toBe(0);
  expect([...statuses].sort()).toEqual([200, 204, 303, 400, 401, 404, 405, 415]);
});

test.each([
  [
    'the key sets',
    'signing_keys',
    ({ url }: DemoServer) => [`${url}/.well-known/jwks.json`, `${url}/.well-known/paserk.json`],
    503,
  ],
  // Without changes heard there is no other sign of the database than this read.
  ['readiness', 'kysely_migration', ({ opsUrl }: DemoServer) => [`${opsUrl}/ready`], 503],
])(
  'requests for %s take one connection, however many come and however slow it is, while changes are not heard',
  {
    timeout: 30_000,
  },
  async (_, table, urlsOf, status) => {
    await using served = await startTestServer({ database: 'postgres', replace: hearNothing });
    const { token } = served.demo;
    const me = async () => (await call(served.url, '/api/v1/me.json', { token })).status;
    expect(await me()).toBe(200);
    const urls = urlsOf(served);
    // Their connection is open before anything waits.
    for (const url of urls) expect((await fetch(url)).status).toBe(200);
    const crowd = async () => {
      const answers = Array.from({ length: AT_ONCE }, (_value, index) =>
        fetch(urls[index % urls.length] ?? ''),
      );
      return (await Promise.all(answers)).map(({ status }) => status);
    };

    const [statuses, waiting] = [new Set<number>(), new Set<number>()];
    {
      await using lock = await openTableLock(served.database.url, table);
      await lock.take();
      // Each is refused when its time is over, while the first read goes on.
      for (let time = 0; time < 3; time += 1) {
        const asking = crowd();
        await delay(100);
        waiting.add(await lock.waitingReads());
        for (const answered of await asking) statuses.add(answered);
      }
    }
    expect([statuses, waiting]).toEqual([new Set([status]), new Set([1])]);
  },
);
