import { UnavailableFault } from '@gatehouse/domain';
import { expect, it, vi } from 'vitest';
import { call } from '../../testing/client.ts';
import { recordLog } from '../../testing/log.ts';
import { createHttpServer } from '../http/http-server.ts';
import type { Stage } from '../http/lifecycle.ts';
import { createOpsApp, type OpsPorts } from './ops-app.ts';

type FeedStates = Awaited<ReturnType<OpsPorts['feedStates']>>;

const HEARD = { trusted: true } as const;
const UNHEARD = { trusted: false, reason: 'a pooler is in between' } as const;

async function probe(
  stage: Stage,
  databaseIsReady: () => Promise<boolean>,
  feedStates: () => Promise<FeedStates> = async () => [HEARD],
) {
  const app = createOpsApp({
    lifecycle: { stage },
    log: recordLog().log,
    databaseIsReady,
    feedStates,
    metrics: async () => [],
    monotonicClock: { elapsedMs: () => 0 },
    timeoutMs: 10,
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
  const { ready } = await probe(stage, databaseIsReady, async () => [UNHEARD]);
  expect(ready.status).toBe(503);
  expect(ready.json).toEqual({
    type: `urn:gatehouse:problem:${name}`,
    title: expect.any(String),
    status: 503,
  });
});

it.each<[string, FeedStates]>([
  ['this process does not hear changes', [UNHEARD]],
  ['one of its workers does not', [HEARD, UNHEARD, HEARD]],
])('is ready, but degraded, while %s, and says why', async (_, states) => {
  const { ready } = await probe(
    'serving',
    async () => true,
    async () => states,
  );
  expect([ready.status, ready.json]).toEqual([
    200,
    { status: 'degraded', reason: 'Changes are not heard: a pooler is in between.' },
  ]);
});

it('is ready, but degraded, while one of its workers does not answer in time', async () => {
  const { ready } = await probe(
    'serving',
    async () => true,
    async () => [HEARD, undefined],
  );
  expect([ready.status, ready.json]).toEqual([
    200,
    { status: 'degraded', reason: 'A worker does not answer in time.' },
  ]);
});

it.each<[string, () => Promise<boolean>]>([
  ['fails', () => Promise.reject(new Error('secret'))],
  ['has no answer in time', never],
])('is ready, but degraded, while the pool %s and a heartbeat is answered', async (_, databaseIsReady) => {
  const { ready } = await probe('serving', databaseIsReady, async () => [UNHEARD, HEARD]);
  expect([ready.status, ready.json]).toEqual([
    200,
    { status: 'degraded', reason: 'The database does not answer in time.' },
  ]);
});

it('is ready, but degraded, while a heartbeat is answered and reads are refused, and says why', async () => {
  const standby = () => Promise.reject(new UnavailableFault('it leads to a standby'));
  const { ready } = await probe('serving', standby, async () => [HEARD]);
  expect([ready.status, ready.json]).toEqual([
    200,
    { status: 'degraded', reason: 'The database cannot be read: it leads to a standby.' },
  ]);
});

it('is not ready on a schema that does not fit, even where changes are heard', async () => {
  const { ready } = await probe('serving', async () => false);
  expect([ready.status, ready.json]).toMatchObject([
    503,
    { type: 'urn:gatehouse:problem:database-not-ready' },
  ]);
});

it.each<[string, () => Promise<FeedStates>]>([
  ['none of its workers answers', async () => []],
  ['none of its workers answers in time', async () => [undefined, undefined]],
  ['asking them has no end', () => new Promise(() => undefined)],
])('is not ready while %s', async (_, feedStates) => {
  const { ready } = await probe('serving', async () => true, feedStates);
  expect([ready.status, ready.json]).toEqual([
    503,
    {
      type: 'urn:gatehouse:problem:no-worker-answers',
      title: 'No worker answers.',
      status: 503,
    },
  ]);
});

it('makes one exposition of the metrics for all who ask while another is made', async () => {
  const first = Promise.withResolvers<[]>();
  const metrics = vi.fn<OpsPorts['metrics']>(async () => []).mockReturnValueOnce(first.promise);
  const app = createOpsApp({
    lifecycle: { stage: 'serving' },
    log: recordLog().log,
    databaseIsReady: never,
    feedStates: async () => [HEARD],
    metrics,
    monotonicClock: { elapsedMs: () => 0 },
  });
  let requests = 0;
  const server = createHttpServer(app, { host: '127.0.0.1', port: 0 });
  server.node.on('request', () => {
    requests += 1;
  });
  await server.listen();
  const asked = Array.from({ length: 20 }, () => call(server.url, '/metrics'));
  await expect.poll(() => requests).toBe(20);
  first.resolve([]);
  for (const { status } of await Promise.all(asked)) expect(status).toBe(200);
  expect(metrics).toHaveBeenCalledTimes(2);
  server.node.closeAllConnections();
  server.node.close();
});

it('renders the metrics at most ten times a second, however many ask one after another', async () => {
  const metrics = vi.fn<OpsPorts['metrics']>(async () => []);
  let elapsed = 500;
  const app = createOpsApp({
    lifecycle: { stage: 'serving' },
    log: recordLog().log,
    databaseIsReady: never,
    feedStates: async () => [HEARD],
    metrics,
    monotonicClock: { elapsedMs: () => elapsed },
  });
  const server = createHttpServer(app, { host: '127.0.0.1', port: 0 });
  await server.listen();
  const ask = async (times: number) => {
    for (let time = 0; time < times; time += 1) expect((await call(server.url, '/metrics')).status).toBe(200);
  };
  await ask(15);
  expect(metrics).toHaveBeenCalledTimes(10);
  elapsed += 999;
  await ask(1);
  expect(metrics).toHaveBeenCalledTimes(10);
  elapsed += 1;
  await ask(1);
  expect(metrics).toHaveBeenCalledTimes(11);
  server.node.close();
});

it('has nothing else', async () => {
  const app = createOpsApp({
    lifecycle: { stage: 'serving' },
    log: recordLog().log,
    databaseIsReady: never,
    feedStates: async () => [HEARD],
    metrics: async () => [],
    monotonicClock: { elapsedMs: () => 0 },
  });
  const server = createHttpServer(app, { host: '127.0.0.1', port: 0 });
  await server.listen();
  expect((await call(server.url, '/api/v1/me.json')).status).toBe(404);
  expect((await call(server.url, '/ready', { method: 'POST' })).status).toBe(405);
  server.node.close();
});
