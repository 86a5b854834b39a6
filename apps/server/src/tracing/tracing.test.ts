import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { call, ME, signInWith } from '../../testing/client.ts';
import { type ReceivedSpan, type Receiver, startReceiver } from '../../testing/otlp/receiver.ts';
import { serveDataFolder } from '../../testing/spawn-server.ts';

const CALLER = { traceId: '0af7651916cd43dd8448eb211c80319c', spanId: 'b7ad6b7169203331' };
const TRACEPARENT = `00-${CALLER.traceId}-${CALLER.spanId}-01`;

const to = ({ url }: Receiver) => ({ OTEL_EXPORTER_OTLP_ENDPOINT: url, ACCESS_LOG: 'on' });
const requestsIn = (spans: readonly ReceivedSpan[]) =>
  spans.filter(({ kind }) => kind === 'SPAN_KIND_SERVER');
const statementsOf = (spans: readonly ReceivedSpan[], request: ReceivedSpan) =>
  spans.filter(({ parentSpanId }) => parentSpanId === request.spanId);

test('each request is one span, with its statements, and tells nothing that is secret', async () => {
  await using receiver = await startReceiver();
  const headers = {
    OTEL_EXPORTER_OTLP_HEADERS: 'authorization=Bearer%20collector-key',
    OTEL_SERVICE_NAME: 'gate',
  };
  await using server = await serveDataFolder({ ...to(receiver), ...headers });
  const { url, demo } = server;
  const { token, admin } = demo;
  const org = demo.organizations[0]?.id;
  const asked = [
    await call(url, `/api/v1/orgs/${org}`, { token, headers: { 'x-request-id': 'my-request' } }),
    await call(url, `${ME}?secret=in-the-query`, { token, headers: { traceparent: TRACEPARENT } }),
    await call(url, '/secret-in-the-path', { token: 'secret-token', method: 'PROPFIND' }),
    await signInWith(url, { email: admin.email, password: admin.password }),
    await signInWith(url, { email: 'secret@mail.example', password: 'secret-password' }),
  ];
  expect(asked.map(({ status }) => status)).toEqual([200, 200, 404, 200, 401]);
  expect(await server.stop()).toBe(0);

  const { spans } = receiver;
  const requests = requestsIn(spans);
  expect(requests.map(({ name, attributes }) => [name, attributes['http.response.status_code']])).toEqual([
    ['GET /api/v1/orgs/:id', '200'],
    ['GET /api/v1/me.json', '200'],
    ['HTTP', '404'],
    ['POST /api/v1/auth.json', '200'],
    ['POST /api/v1/auth.json', '401'],
  ]);
  expect(requests.map(({ attributes }) => attributes['gatehouse.request_id'])).toEqual(
    asked.map(({ headers }) => headers.get('x-request-id')),
  );
  expect(requests[0]).toMatchObject({
    parentSpanId: '',
    links: [],
    isError: false,
    attributes: {
      'http.request.method': 'GET',
      'http.route': '/api/v1/orgs/:id',
      'server.address': '127.0.0.1',
      'server.port': new URL(url).port,
      'gatehouse.request_id': 'my-request',
    },
    resource: { 'service.name': 'gate', 'service.version': expect.any(String) },
  });
  // The caller's trace is named, and not continued.
  expect(requests[1]?.links).toEqual([CALLER]);
  expect(requests[1]?.traceId).not.toBe(CALLER.traceId);

  const first = requests[0] as ReceivedSpan;
  const statements = statementsOf(spans, first);
  for (const table of ['signing_keys', 'organizations', 'tokens']) {
    expect(statements.map(({ name }) => name)).toContainEqual(
      expect.stringMatching(new RegExp(`^SELECT .*\\b${table}\\b`)),
    );
  }
  for (const statement of statements) {
    expect(statement).toMatchObject({ traceId: first.traceId, kind: 'SPAN_KIND_CLIENT' });
    expect(statement.attributes).toEqual({
      'db.system.name': 'postgresql',
      'db.operation.name': 'SELECT',
      'db.query.summary': statement.name,
    });
    expect(statement.startNs >= first.startNs && statement.endNs <= first.endNs).toBe(true);
  }
  const ids = new Set(requests.map(({ spanId }) => spanId));
  expect(spans.every(({ spanId, parentSpanId }) => ids.has(spanId) || ids.has(parentSpanId))).toBe(true);

  const sent = Buffer.concat(receiver.bodies).toString('latin1');
  for (const secret of [token, admin.email, admin.password, 'secret', 'PROPFIND', 'mail.example'])
    expect(sent).not.toContain(secret);
  expect(receiver.paths[0]).toBe('POST /v1/traces');
  expect(receiver.headers[0]).toMatchObject({ authorization: 'Bearer collector-key' });
  expect(server.out() + server.errors()).not.toContain('collector-key');

  const lines = server.out().match(/^\{.*"msg":"a request was answered"\}$/gm) ?? [];
  expect(lines.map((line) => JSON.parse(line).trace_id)).toEqual(requests.map(({ traceId }) => traceId));
});

test('every worker records its requests, and a trace of the caller is continued where callers decide', async () => {
  await using receiver = await startReceiver();
  const settings = {
    WORKERS: '2',
    OTEL_TRACES_SAMPLER: 'parentbased_traceidratio',
    OTEL_TRACES_SAMPLER_ARG: '0',
  };
  await using server = await serveDataFolder({ ...to(receiver), ...settings });
  const ask = (headers: Readonly<Record<string, string>>) =>
    call(server.url, '/openapi.json', { headers: { connection: 'close', ...headers } });
  await Promise.all(Array.from({ length: 20 }, () => ask({})));
  const processes = async () => {
    await ask({ traceparent: TRACEPARENT });
    return new Set(requestsIn(receiver.spans).map(({ resource }) => resource['process.pid'])).size;
  };
  await expect.poll(processes, { timeout: 30_000 }).toBe(2);
  expect(await server.stop()).toBe(0);
  for (const { traceId, parentSpanId } of requestsIn(receiver.spans))
    expect({ traceId, spanId: parentSpanId }).toEqual(CALLER);
  expect(server.out()).not.toContain('cannot be sent');
});

test('a collector that refuses, or does not answer, costs no request, and is counted and logged', async () => {
  let status = 400;
  await using receiver = await startReceiver({ answer: () => ({ status }) });
  await using server = await serveDataFolder({ ...to(receiver) });
  const ask = async () => expect((await call(server.url, ME, { token: server.demo.token })).status).toBe(200);
  const metric = async (outcome: string) => {
    const { text } = await call(server.opsUrl(), '/metrics');
    return Number(
      new RegExp(`^gatehouse_trace_spans_total\\{outcome="${outcome}"\\} (\\d+)$`, 'm').exec(text)?.[1],
    );
  };
  await ask();
  await expect.poll(() => metric('not_sent'), { timeout: 10_000 }).toBeGreaterThan(0);
  await expect
    .poll(server.out, { timeout: 10_000 })
    .toMatch(/"reason":"the collector answered 400","msg":"traces cannot be sent"/);
  status = 200;
  await ask();
  await expect.poll(() => metric('sent'), { timeout: 10_000 }).toBeGreaterThan(0);
  await expect.poll(server.out, { timeout: 10_000 }).toContain('"msg":"traces are sent again"');
  // Retried for ten seconds, and the stop does not wait for that.
  status = 503;
  await ask();
  const stopped = performance.now();
  expect(await server.stop()).toBe(0);
  expect(performance.now() - stopped).toBeLessThan(5_000);
});

test('without a collector and without identity providers, nothing that serves them is loaded', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'gatehouse-modules-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const modulesOf = async (name: string, settings: Readonly<Record<string, string>>) => {
    const file = join(folder, name);
    const preloaded = new URL('../../testing/note-modules.mjs', import.meta.url).href;
    await using server = await serveDataFolder({
      ...settings,
      NODE_OPTIONS: `--import ${preloaded}`,
      NOTED_MODULES: file,
    });
    await call(server.url, ME, { token: server.demo.token });
    await server.stop();
    const modules = (await readFile(file, 'utf8')).split('\n');
    expect(modules).toContainEqual(expect.stringMatching(/apps\/server\/src\/run\.ts$/));
    // The metrics library depends on the package of interfaces.
    return modules.filter((url) =>
      /@opentelemetry\/(?!api\/)|tracing\/open-tracing\.ts$|openid-client|oauth4webapi/.test(url),
    );
  };
  expect(await modulesOf('off', { OTEL_SERVICE_NAME: 'gate' })).toEqual([]);
  const on = await modulesOf('on', { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:9' });
  expect(on).toContainEqual(expect.stringContaining('opentelemetry'));
});
