import { apiToken, PASSWORD, START } from '@gatehouse/domain/testing';
import { addMilliseconds } from '@gatehouse/domain/time';
import { expect, test } from 'vitest';
import { call, signInWith } from '../../testing/client.ts';
import { recordLog } from '../../testing/log.ts';
import { idleParts, linesOf } from '../../testing/metrics.ts';
import { startTestServer } from '../../testing/start-test-server.ts';
import { createRefusalLog } from '../logging/request-logs.ts';
import { createMetrics, exposition } from './metrics.ts';

const exposed = async (metrics = createMetrics(idleParts())) => exposition([await metrics.snapshot()]);

test('requests are counted by route, method and status, and by how long they took', async () => {
  const metrics = createMetrics(idleParts());
  for (const milliseconds of [0.4, 0.5, 0.6, 30, 99_000]) {
    metrics.requests.record('/api/v1/orgs/:id', 'GET', 200, milliseconds);
  }
  metrics.requests.record('/api/v1/orgs/:id', 'GET', 401, 1);
  const text = await exposed(metrics);
  const name = 'gatehouse_http_request_duration_seconds';
  const labels = 'route="/api/v1/orgs/:id",method="GET",status="200"';
  const buckets = linesOf(text, `${name}_bucket`).filter((line) => line.includes('"200"'));
  expect(buckets.map((line) => Number(line.split(' ').at(-1)))).toEqual([
    2, 3, 3, 3, 3, 3, 4, 4, 4, 4, 4, 4, 4, 4, 5,
  ]);
  expect(buckets.at(0)).toContain('le="0.0005"');
  expect(buckets.at(-1)).toContain('le="+Inf"');
  expect(linesOf(text, `${name}_count{${labels}`)).toEqual([`${name}_count{${labels}} 5`]);
  expect(Number(linesOf(text, `${name}_sum{${labels}`)[0]?.split(' ').at(-1))).toBeCloseTo(99.0315);
  expect(linesOf(text, `${name}_count`)).toHaveLength(2);
});

test('client input makes no series of its own', async () => {
  const metrics = createMetrics(idleParts());
  for (let serial = 0; serial < 100; serial += 1) metrics.requests.record(undefined, `BREW${serial}`, 404, 1);
  const [line, ...others] = linesOf(await exposed(metrics), 'gatehouse_http_request_duration_seconds_count');
  expect([line, others]).toEqual([
    expect.stringContaining('route="none",method="other",status="404"} 100'),
    [],
  ]);
});

test('parts are measured when the metrics are read', async () => {
  const text = await exposed(
    createMetrics(
      idleParts({
        clock: { now: () => addMilliseconds(START, 2500) },
        pool: () => ({ total: 7, idle: 3, waiting: 2 }),
        hashing: () => ({ active: 1, waiting: 9 }),
        caches: () => ({ grants: { hit: 5, miss: 4, bypassed: 3 } }),
        usage: () => ({ tokens: 8, oldest: addMilliseconds(START, 1000) }),
        streams: () => 6,
      }),
    ),
  );
  for (const line of [
    'gatehouse_change_feed_trusted 1',
    'gatehouse_change_feed_age_seconds 2.5',
    'gatehouse_database_connections{state="busy"} 4',
    'gatehouse_database_connections{state="idle"} 3',
    'gatehouse_database_waiting 2',
    'gatehouse_password_hashes{state="active"} 1',
    'gatehouse_password_hashes{state="waiting"} 9',
    'gatehouse_cache_reads_total{cache="grants",outcome="hit"} 5',
    'gatehouse_cache_reads_total{cache="grants",outcome="bypassed"} 3',
    'gatehouse_usage_waiting 8',
    'gatehouse_usage_lag_seconds 1.5',
    'gatehouse_token_change_streams 6',
  ]) {
    expect(text.split('\n')).toContain(line);
  }
  expect(linesOf(text, 'nodejs_eventloop_lag_p99_seconds')).toHaveLength(1);
});

const UNTRUSTED = {
  heardUpTo: () => undefined,
  state: () => ({ trusted: false, reason: 'a test' }) as const,
};

test('a feed that was never trusted has no age', async () => {
  const metrics = createMetrics(idleParts({ feed: UNTRUSTED }));
  const text = await exposed(metrics);
  expect(linesOf(text, 'gatehouse_change_feed_trusted')).toEqual(['gatehouse_change_feed_trusted 0']);
  expect(linesOf(text, 'gatehouse_change_feed_age_seconds')).toEqual([]);
});

test('several processes are added up, but for what the worst of them decides', async () => {
  const first = createMetrics(idleParts({ clock: { now: () => addMilliseconds(START, 3000) } }));
  const other = createMetrics(idleParts({ feed: UNTRUSTED }));
  for (const metrics of [first, other]) metrics.requests.record('/openapi.json', 'GET', 200, 1);
  first.signIns.inc('accepted');
  const text = await exposition([await first.snapshot(), await other.snapshot()]);
  const count = linesOf(text, 'gatehouse_http_request_duration_seconds_count');
  expect(count).toEqual([expect.stringMatching(/ 2$/)]);
  expect(text).toContain('gatehouse_sign_ins_total{outcome="accepted"} 1');
  expect(text).toContain('gatehouse_change_feed_trusted 0');
  expect(text).toContain('gatehouse_change_feed_age_seconds 3');
});

test('what a server answers is counted, and every refused token is logged without itself', async () => {
  const metrics = createMetrics(idleParts());
  const refused = recordLog();
  const refusalLog = createRefusalLog(refused.log, metrics.refusals);
  await using served = await startTestServer({
    ports: {
      requests: metrics.requests,
      signIns: metrics.signIns,
      refusalLog,
      clientAddress: () => '192.0.2.1',
    },
  });
  const { admin, foreign } = served.people;
  const { secret, record } = await apiToken(served.world, admin, { scopes: ['me:read'] });
  const get = (path: string, token?: string) => call(served.url, path, { ...(token && { token }) });
  await get('/api/v1/me.json', secret);
  await get(`/api/v1/orgs/${foreign.id}`, secret);
  await get('/api/v1/me.json', `${secret}x`);
  await get('/api/v1/me.json');
  await get('/api/v1/nothing', secret);
  for (const password of [PASSWORD, 'wrong']) await signInWith(served.url, { email: admin.email, password });

  const text = await exposed(metrics);
  const counts = linesOf(text, 'gatehouse_http_request_duration_seconds_count').map((line) =>
    line.replace(/^.*{route="(.*)",method="(.*)",status="(.*)"} (\d+)$/, '$2 $1 $3: $4'),
  );
  expect(counts.sort()).toEqual([
    'GET /api/v1/me.json 200: 1',
    'GET /api/v1/me.json 401: 2',
    'GET /api/v1/orgs/:id 403: 1',
    'GET none 404: 1',
    'POST /api/v1/auth.json 200: 1',
    'POST /api/v1/auth.json 401: 1',
  ]);
  expect(text).toContain('gatehouse_sign_ins_total{outcome="credentials_not_accepted"} 1');
  expect(text).toContain('gatehouse_refusals_total{reason="insufficient_scope"} 1');
  expect(refused.entries()).toMatchObject([
    {
      route: '/api/v1/orgs/:id',
      reason: 'insufficient_scope',
      token_id: record.id,
      user_id: admin.id,
    },
    { route: '/api/v1/me.json', reason: expect.stringMatching(/malformed|bad_signature/) },
  ]);
  expect(refused.lines.join()).not.toContain(secret);
});
