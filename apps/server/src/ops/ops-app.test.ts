import { UnavailableFault } from '@gatehouse/domain';
import { sendRaw } from '@gatehouse/front/testing';
import { expect, it, vi } from 'vitest';
import { call } from '../../testing/client.ts';
import { listen } from '../../testing/listen.ts';
import { recordLog } from '../../testing/log.ts';
import type { Lifecycle } from '../http/lifecycle.ts';
import { createOpsApp, type OpsPorts } from './ops-app.ts';

type FeedStates = Awaited<ReturnType<OpsPorts['feedStates']>>;

const HEARD = { trusted: true } as const;
const UNHEARD = { trusted: false, reason: 'a pooler is in between' } as const;

const serveOps = (ports: Partial<OpsPorts> = {}) =>
  listen(
    createOpsApp({
      lifecycle: { stage: 'serving' },
      log: recordLog().log,
      databaseIsReady: async () => true,
      feedStates: async () => [HEARD],
      metrics: async () => [],
      monotonicClock: { elapsedMs: () => 0 },
      timeoutMs: 10,
      ...ports,
    }),
  );

const never = () => new Promise<never>(() => undefined);
const failing = () => Promise.reject(new Error('secret'));
const standby = () => Promise.reject(new UnavailableFault('it leads to a standby'));
const yes = async () => true;
const no = async () => false;

const READY = { status: 'ready' };
const degraded = (reason: string) => ({ status: 'degraded', reason });
const notReady = (name: string, title: unknown = expect.any(String)) => ({
  type: `urn:gatehouse:problem:${name}`,
  title,
  status: 503,
});
const databaseNotReady = (why: string) => notReady('database-not-ready', `The database cannot be used${why}`);
const OTHER_SCHEMA = ': its schema is not the one of this version.';
const DEAF = degraded('The change feed is not trusted: a pooler is in between.');
const SLOW = degraded('The database does not answer in time.');

it.each<[string, Lifecycle['stage'], OpsPorts['databaseIsReady'], FeedStates, object]>([
  ['while it serves and its database answers', 'serving', yes, [HEARD], READY],
  ['while it starts', 'starting', yes, [UNHEARD], notReady('starting')],
  ['while it drains', 'draining', yes, [UNHEARD], notReady('draining')],
  ['on a schema that does not fit', 'serving', no, [HEARD], databaseNotReady(OTHER_SCHEMA)],
  ['while the database fails', 'serving', failing, [UNHEARD], databaseNotReady('.')],
  [
    'while the database is a standby',
    'serving',
    standby,
    [UNHEARD],
    databaseNotReady(': it leads to a standby.'),
  ],
  ['while the database is silent', 'serving', never, [UNHEARD], notReady('database-not-ready')],
  ['while this process does not hear changes', 'serving', yes, [UNHEARD], DEAF],
  ['while one worker does not hear them', 'serving', yes, [HEARD, UNHEARD, HEARD], DEAF],
  [
    'while one worker is late',
    'serving',
    yes,
    [HEARD, undefined],
    degraded('A worker does not answer in time.'),
  ],
  ['while the pool fails and a heartbeat is answered', 'serving', failing, [UNHEARD, HEARD], SLOW],
  ['while the pool is silent and a heartbeat is answered', 'serving', never, [UNHEARD, HEARD], SLOW],
  [
    'while reads are refused and a heartbeat is answered',
    'serving',
    standby,
    [HEARD],
    degraded('The database cannot be read: it leads to a standby.'),
  ],
  ['while no worker answers', 'serving', yes, [], notReady('no-worker-answers')],
  ['while all workers are late', 'serving', yes, [undefined, undefined], notReady('no-worker-answers')],
])('says whether it is ready, and is live: %s', async (_, stage, databaseIsReady, states, expected) => {
  await using served = await serveOps({
    lifecycle: { stage },
    databaseIsReady,
    feedStates: async () => states,
  });
  const { status, json } = await call(served.url, '/ready');
  expect([status, json]).toEqual(['type' in expected ? 503 : 200, expected]);
  expect(await call(served.url, '/live')).toMatchObject({ status: 200, json: { status: 'live' } });
});

it('is not ready while asking its workers has no end', async () => {
  await using served = await serveOps({ feedStates: never });
  expect((await call(served.url, '/ready')).json).toEqual(notReady('no-worker-answers'));
});

it('makes one exposition of the metrics for all who ask while another is made', async () => {
  const first = Promise.withResolvers<[]>();
  const metrics = vi.fn<OpsPorts['metrics']>(async () => []).mockReturnValueOnce(first.promise);
  await using served = await serveOps({ metrics });
  let requests = 0;
  served.server.node.on('request', () => {
    requests += 1;
  });
  const asked = Array.from({ length: 20 }, () => call(served.url, '/metrics'));
  await expect.poll(() => requests).toBe(20);
  first.resolve([]);
  for (const { status } of await Promise.all(asked)) expect(status).toBe(200);
  expect(metrics).toHaveBeenCalledTimes(2);
});

it('renders the metrics at most ten times a second, however many ask one after another', async () => {
  const metrics = vi.fn<OpsPorts['metrics']>(async () => []);
  let elapsed = 500;
  await using served = await serveOps({ metrics, monotonicClock: { elapsedMs: () => elapsed } });
  const ask = async (times: number) => {
    for (let time = 0; time < times; time += 1) expect((await call(served.url, '/metrics')).status).toBe(200);
    return metrics.mock.calls.length;
  };
  expect(await ask(15)).toBe(10);
  elapsed += 999;
  expect(await ask(1)).toBe(10);
  elapsed += 1;
  expect(await ask(1)).toBe(11);
});

/** As HAProxy checks by default: by HTTP/1.0 and without a host. */
const checkBy = async (url: string, method: string, path: string) => {
  const [reply] = await sendRaw(url, `${method} ${path} HTTP/1.0\r\n\r\n`);
  return reply ?? expect.fail(`no answer to ${method} ${path}`);
};

it.each<[string, Partial<OpsPorts>]>([
  ['is ready', {}],
  ['is degraded', { feedStates: async () => [UNHEARD] }],
  ['starts', { lifecycle: { stage: 'starting' } }],
  ['drains', { lifecycle: { stage: 'draining' } }],
  ['has a schema that does not fit', { databaseIsReady: no }],
  ['has no database', { databaseIsReady: failing, feedStates: async () => [UNHEARD] }],
  ['has no worker that answers', { feedStates: async () => [undefined] }],
])('tells the same by GET, HEAD and OPTIONS while it %s, and nothing by other methods', async (_, ports) => {
  await using served = await serveOps({ ...ports, metrics: async () => [] });
  for (const path of ['/live', '/ready', '/metrics']) {
    const get = await checkBy(served.url, 'GET', path);
    expect([path, get.status]).toEqual([path, path === '/ready' ? get.status : 200]);
    const options = await checkBy(served.url, 'OPTIONS', path);
    expect([path, options.status, options.body]).toEqual([path, get.status, get.body]);
    expect(options.headers.get('allow')).toBe('GET, HEAD, OPTIONS');
    expect(options.headers.get('content-type')).toBe(get.headers.get('content-type'));
    expect([path, (await checkBy(served.url, 'HEAD', path)).status]).toEqual([path, get.status]);
    for (const method of ['POST', 'PUT', 'PATCH', 'DELETE', 'TRACE', 'PROPFIND', 'QUERY']) {
      const refused = await checkBy(served.url, method, path);
      expect([method, refused.status, refused.headers.get('allow')]).toEqual([
        method,
        405,
        'GET, HEAD, OPTIONS',
      ]);
    }
  }
});

it('has nothing else', async () => {
  await using served = await serveOps();
  expect((await call(served.url, '/api/v1/me.json')).status).toBe(404);
  for (const path of ['/', '*', '/readyz', '/ready/'])
    expect((await checkBy(served.url, 'OPTIONS', path)).status).toBe(404);
});
