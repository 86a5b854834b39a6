import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { connect, createServer, type Socket } from 'node:net';
import { PROBLEMS } from '@gatehouse/api-contract';
import { freePorts } from '@gatehouse/test-database';
import { describe, expect, onTestFinished, test } from 'vitest';
import { statusOf } from '../stage/ask.ts';
import { openFleet } from '../stage/fleet.ts';
import { type Backend, hasHaproxy, SHOWN, startHaproxy } from '../stage/haproxy.ts';
import { requestsAnswered } from '../stage/metrics.ts';
import type { ServerNode } from '../stage/node.ts';

const LIMIT = { timeout: 120_000 };
const ANSWER = 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}';

if (!hasHaproxy) {
  console.warn(
    'SKIPPED: docs/operate/haproxy.cfg was not tested: haproxy is not installed (apt-get install haproxy)',
  );
}

/** A server of the test, which is ready at once and handles requests as configured. */
async function startStub(onRequest: (socket: Socket, request: string) => void) {
  const server = createServer((socket) => {
    socket
      .on('error', () => undefined)
      .once('data', (data) => {
        const body = '{"status":"ready"}';
        if (data.includes('GET /ready'))
          socket.end(`HTTP/1.0 200 OK\r\nContent-Length: ${body.length}\r\n\r\n${body}`);
        else onRequest(socket, String(data));
      });
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  onTestFinished(() => void server.close());
  const { port } = server.address() as { port: number };
  return { port, opsPort: port };
}

/** Starts haproxy in front of a single server, and waits until as many as `up` pass the checks. */
async function startInFrontOf(backend: Backend, up = 1, change?: (configuration: string) => string) {
  const [port = 0] = await freePorts(1);
  const proxy = await startHaproxy(port, [backend], { change });
  await proxy.untilUp(up);
  return { ...proxy, port };
}

/** Sends raw bytes to haproxy; the connection is closed after the test. */
function send(port: number, bytes: string): Socket {
  const client = connect(port, '127.0.0.1');
  onTestFinished(() => void client.destroy());
  // haproxy resets a connection if it does not read the whole request.
  client.on('error', () => undefined);
  client.write(bytes, 'latin1');
  return client;
}

/** Returns haproxy's own response to a request for the OpenAPI document, instead of that of its only server. */
async function answerInPlaceOf(backend: Backend, up: number) {
  const soon = (configuration: string) => configuration.replace('timeout server 10s', 'timeout server 300ms');
  await using proxy = await startInFrontOf(backend, up, soon);
  return read(await fetch(`${proxy.url}/openapi.json`));
}

/**
 * Returns whether haproxy keeps a connection from this local address and answers it; the connection is closed after
 * the test.
 */
async function isTaken(url: string, localAddress: string): Promise<boolean> {
  const socket = connect({ port: Number(new URL(url).port), host: '127.0.0.1', localAddress });
  onTestFinished(() => void socket.destroy());
  // Refused connections are reset.
  socket.on('error', () => undefined).write('GET /openapi.json HTTP/1.1\r\nHost: x\r\n\r\n');
  return new Promise((resolve) =>
    socket.once('data', () => resolve(true)).once('close', () => resolve(false)),
  );
}

/** The comparable members of a response. */
async function read(response: Response) {
  const names = ['content-type', 'cache-control', 'retry-after'];
  const headers = Object.fromEntries(names.map((name) => [name, response.headers.get(name)]));
  return { status: response.status, headers, body: await response.text() };
}

/** Expects a server's response while its database is unavailable. */
function expectRefusal(answer: Awaited<ReturnType<typeof read>>) {
  expect(answer).toEqual({
    status: 503,
    headers: { 'content-type': 'application/problem+json', 'cache-control': 'no-store', 'retry-after': '1' },
    body: JSON.stringify(PROBLEMS.unavailable),
  });
}

test('haproxy’s own responses have the problem documents of the interface', async () => {
  const shown = await readFile(SHOWN, 'utf8');
  const documents = [...shown.matchAll(/http-error status (\d+) .* string '(.*)' hdr/g)];
  expect(documents.map(([, status]) => Number(status))).toEqual([400, 408, 413, 500, 502, 503, 504]);
  const known = Object.values(PROBLEMS).map((problem) => JSON.stringify(problem));
  for (const [, , document] of documents) expect(known).toContain(document);
});

describe.skipIf(!hasHaproxy)('behind haproxy', () => {
  test('without a ready server the response is the 503 of the interface', LIMIT, async () => {
    const [port = 0] = await freePorts(1);
    expectRefusal(await answerInPlaceOf({ port, opsPort: port }, 0));
  });

  test.each<[string, (socket: Socket) => void]>([
    ['closes the connection', (socket) => socket.destroy()],
    ['answers what is no HTTP', (socket) => socket.end('garbage\r\n\r\n')],
    ['does not answer in time', () => undefined],
  ])('of a server that %s, the answer is the 503 of the interface', LIMIT, async (_, onRequest) => {
    expectRefusal(await answerInPlaceOf(await startStub(onRequest), 1));
  });

  test('a client has as many connections as haproxy allows, and others keep theirs', LIMIT, async () => {
    await using proxy = await startInFrontOf(await startStub((socket) => socket.end(ANSWER)));
    const taken = await Promise.all(Array.from({ length: 520 }, () => isTaken(proxy.url, '127.0.0.1')));
    expect(taken.filter((isOne) => isOne)).toHaveLength(500);
    expect(await isTaken(proxy.url, '127.0.0.2')).toBe(true);
  });

  test(
    'a connection is not upgraded to HTTP/2, on which a client has 100 requests at once',
    LIMIT,
    async () => {
      await using proxy = await startInFrontOf(await startStub(() => undefined));
      // The preface and an empty SETTINGS frame: RFC 9113, section 3.4.
      const client = send(proxy.port, 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\0\x04\0\0\0\0\0');
      expect(String((await once(client, 'data'))[0])).toMatch(/^HTTP\/1\.1 400 /);
    },
  );

  test.each([
    ['announced', 'Content-Length: 1000000\r\n\r\n', ''],
    ['chunked', 'Transfer-Encoding: chunked\r\n\r\n', 'ffff\r\n'],
  ])(
    'a body that is too large reaches no server, and occupies no connection of one: %s',
    LIMIT,
    async (_, framing, chunk) => {
      const seen: string[] = [];
      const backend = await startStub((_, request) => void seen.push(request));
      await using proxy = await startInFrontOf(backend);
      // More than haproxy buffers.
      const body = `${framing}${chunk}${'x'.repeat(36_000)}`;
      const client = send(proxy.port, `GET /api/v1/me.json HTTP/1.1\r\nHost: x\r\n${body}`);
      const answer = String((await once(client, 'data'))[0]);
      expect(answer).toMatch(/^HTTP\/1\.1 413 /);
      expect(answer).toContain(JSON.stringify(PROBLEMS.body_too_large));
      expect(seen).toEqual([]);
    },
  );

  test('the client’s address takes the place of what the client wrote about it', LIMIT, async () => {
    const requests: string[] = [];
    const backend = await startStub((socket, request) => {
      requests.push(request);
      socket.end(ANSWER);
    });
    await using proxy = await startInFrontOf(backend);
    const headers = { 'x-forwarded-for': '203.0.113.9, 203.0.113.8' };
    expect((await fetch(`${proxy.url}/openapi.json`, { headers })).status).toBe(200);
    expect(requests.join().match(/^x-forwarded-for:.*$/gim)).toEqual(['x-forwarded-for: 127.0.0.1']);
  });

  test('the largest sign-in is forwarded once all of it has arrived', LIMIT, async () => {
    const seen: string[] = [];
    const backend = await startStub((socket, request) => {
      seen.push(request.slice(0, 4));
      socket.end(ANSWER);
    });
    await using proxy = await startInFrontOf(backend);
    const head = 'POST /api/v1/auth.json HTTP/1.1\r\nHost: x\r\nContent-Length: 16384\r\n\r\n';
    const slow = send(proxy.port, `${head}${'x'.repeat(16_383)}`);
    // Other requests are answered meanwhile, long after all of this has arrived.
    for (let count = 0; count < 20; count += 1) {
      const response = await fetch(`${proxy.url}/openapi.json`, { headers: { connection: 'close' } });
      expect(response.status).toBe(200);
    }
    expect(new Set(seen)).toEqual(new Set(['GET ']));
    slow.write('x');
    expect(String((await once(slow, 'data'))[0])).toMatch(/^HTTP\/1\.1 200 /);
    expect(seen.at(-1)).toBe('POST');
  });

  test(
    'without the database each 503 is that of the interface, and servers recover by themselves',
    LIMIT,
    async () => {
      await using fleet = await openFleet({ servers: ['everything', 'everything'] });
      const { proxy, way, population } = fleet;
      const url = `${proxy.url}${population.path}`;
      await proxy.untilUp(2);
      expect(await statusOf(url, population.token)).toBe(200);
      way.cut(true);
      await proxy.untilUp(0, 'degraded');
      const response = await fetch(url, { headers: { authorization: `Bearer ${population.token}` } });
      expectRefusal(await read(response));
      way.cut(false);
      await proxy.untilUp(2);
      expect(await statusOf(url, population.token)).toBe(200);
    },
  );

  test('a degraded server is used only if no other is ready', LIMIT, async () => {
    await using fleet = await openFleet({ servers: ['none', 'feed'] });
    const { proxy, way, population } = fleet;
    const [ready, degraded] = fleet.nodes as [ServerNode, ServerNode];
    const ask = async () => {
      const before = await requestsAnswered(degraded.opsUrl);
      for (let count = 0; count < 20; count += 1) {
        expect(await statusOf(`${proxy.url}${population.path}`, population.token)).toBe(200);
      }
      return (await requestsAnswered(degraded.opsUrl)) - before;
    };
    await proxy.untilUp(2);
    expect(await ask()).toBe(10);
    way.cut(true);
    await proxy.untilUp(1);
    await proxy.untilUp(2, 'degraded');
    expect(await ask()).toBe(0);
    ready.process.kill('SIGKILL');
    await proxy.untilUp(0);
    expect(await ask()).toBe(20);
    way.cut(false);
    await proxy.untilUp(1);
  });
});
