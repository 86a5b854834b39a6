import { expect, it } from 'vitest';
import { call } from '../../testing/client.ts';
import { recordLog } from '../../testing/log.ts';
import { createHttpServer } from '../http/http-server.ts';
import type { Stage } from '../http/lifecycle.ts';
import { createOpsApp, type OpsPorts } from './ops-app.ts';

type FeedState = Awaited<ReturnType<OpsPorts['feedState']>>;

async function probe(
  stage: Stage,
  databaseIsReady: () => Promise<boolean>,
  feed: FeedState = { trusted: true },
) {
  const app = createOpsApp({
    lifecycle: { stage },
    log: recordLog().log,
    databaseIsReady,
    feedState: async () => feed,
    metrics: async () => [],
    patienceMs: 10,
  });
  const server = createHttpServer(app, { host: '127.0.0.1', port: 0 });
  await server.listen();
  try {
    return { ready: await call(server.url, '/ready'), live: await call(server.url, '/live') };
  } finally {
    server.node.closeAllConnections();
    server.node.close();
  }
}

const never = () => new Promise<boolean>(() => undefined);

it('is live whatever happens', async () => {
  for (const stage of ['starting', 'serving', 'draining'] as const) {
    const { live } = await probe(stage, async () => false);
    expect([live.status, live.json]).toEqual([200, { status: 'live' }]);
  }
});

it('is ready while it serves and its database answers', async () => {
  const { ready } = await probe('serving', async () => true);
  expect([ready.status, ready.json]).toEqual([200, { status: 'ready' }]);
});

it.each<[string, Stage, () => Promise<boolean>]>([
  ['starting', 'starting', async () => true],
  ['draining', 'draining', async () => true],
  ['database-not-ready', 'serving', async () => false],
  ['database-not-ready', 'serving', () => Promise.reject(new Error('secret'))],
  ['database-not-ready', 'serving', never],
])('is not ready, and says why: %s', async (name, stage, databaseIsReady) => {
  const { ready } = await probe(stage, databaseIsReady);
  expect(ready.status).toBe(503);
  expect(ready.json).toEqual({
    type: `urn:gatehouse:problem:${name}`,
    title: expect.any(String),
    status: 503,
  });
});

it('is not ready while changes are not heard, and says why', async () => {
  const { ready } = await probe('serving', async () => true, {
    trusted: false,
    reason: 'a pooler is in between',
  });
  expect([ready.status, ready.json]).toEqual([
    503,
    {
      type: 'urn:gatehouse:problem:change-feed-not-trusted',
      title: 'Changes are not heard: a pooler is in between.',
      status: 503,
    },
  ]);
});

it('has nothing else', async () => {
  const app = createOpsApp({
    lifecycle: { stage: 'serving' },
    log: recordLog().log,
    databaseIsReady: never,
    feedState: async () => ({ trusted: true }),
    metrics: async () => [],
  });
  const server = createHttpServer(app, { host: '127.0.0.1', port: 0 });
  await server.listen();
  expect((await call(server.url, '/api/v1/me.json')).status).toBe(404);
  expect((await call(server.url, '/ready', { method: 'POST' })).status).toBe(405);
  server.node.close();
});
