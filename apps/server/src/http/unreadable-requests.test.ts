import { describe, expect, it } from 'vitest';
import { populate } from '../../testing/population.ts';
import { openRaw, type RawReply, sendRaw } from '../../testing/raw-http.ts';
import { serveHeldKeySet } from '../../testing/serve-held-key-set.ts';
import { serveWorld } from '../../testing/serve-world.ts';
import type { TimeLimits } from './http-server.ts';

const expectProblem = (reply: RawReply | undefined, status: number, name: string) => {
  expect(reply).toBeDefined();
  expect(reply?.status).toBe(status);
  expect(reply?.headers.get('content-type')).toBe('application/problem+json');
  expect(reply?.headers.get('x-content-type-options')).toBe('nosniff');
  expect(reply?.headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
  expect(reply?.headers.get('connection')).toBe('close');
  expect(JSON.parse(reply?.body ?? '')).toEqual({
    type: `urn:gatehouse:problem:${name}`,
    title: expect.any(String),
    status,
  });
};

const post = 'POST /api/v1/auth.json HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n';
const get = (path: string) => `GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`;
const HELD = get('/.well-known/jwks.json');

describe('a request that Node cannot read', () => {
  it.each([
    ['no HTTP', 'hello\r\n\r\n'],
    ['an unknown method', 'FOO / HTTP/1.1\r\nHost: x\r\n\r\n'],
    ['a space in the target', 'GET /a b HTTP/1.1\r\nHost: x\r\n\r\n'],
    ['a header without a name', 'GET / HTTP/1.1\r\nHost: x\r\n: x\r\n\r\n'],
    ['a space before the colon', 'GET / HTTP/1.1\r\nHost: x\r\nA : x\r\n\r\n'],
    ['a bare carriage return', 'GET / HTTP/1.1\r\nHost: x\r\nA: x\rB: y\r\n\r\n'],
    ['NUL in a header', 'GET / HTTP/1.1\r\nHost: x\r\nA: \u0000\r\n\r\n'],
    ['two lengths', `${post}Content-Length: 1\r\nContent-Length: 2\r\n\r\nab`],
    ['a length and chunks', `${post}Content-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`],
    ['a length that is none', `${post}Content-Length: -1\r\n\r\n`],
    ['a chunk that is none', `${post}Transfer-Encoding: chunked\r\n\r\nzz\r\n`],
    ['a tunnel', 'CONNECT evil.example:80 HTTP/1.1\r\nHost: x\r\n\r\n'],
  ])('is answered by a problem, and the connection is closed: %s', async (_, request) => {
    await using served = await serveWorld();
    const replies = await sendRaw(served.url, request);
    expectProblem(replies[0], 400, 'malformed-request');
    expect(replies).toHaveLength(1);
  });

  it('has too large headers, and learns that', async () => {
    await using served = await serveWorld();
    for (const request of [
      `GET / HTTP/1.1\r\nHost: x\r\nA: ${'x'.repeat(17_000)}\r\n\r\n`,
      get(`/api/v1/orgs/${'1'.repeat(17_000)}`),
    ]) {
      const [reply] = await sendRaw(served.url, request);
      expectProblem(reply, 431, 'headers-too-large');
    }
  });

  it('is answered after those that came before it on the connection, in their order', async () => {
    await using served = await serveWorld();
    await populate(served.world);
    const requests = HELD + get('/nope') + get('/.well-known/paserk.json');
    const replies = await sendRaw(served.url, `${requests}GARBAGE\r\n\r\n`);
    expect(replies.map(({ status }) => status)).toEqual([200, 404, 200, 400]);
  });

  it.each([
    ['a tunnel', 'CONNECT evil.example:80 HTTP/1.1\r\nHost: x\r\nX-Request-Id: mine\r\n\r\n', 'mine'],
    ['a chunk that is none', `${post}X-Request-Id: mine\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n`, 'mine'],
    [
      'a chunk that is none, and more of it',
      `${post}X-Request-Id: mine\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n`.padEnd(200_000),
      'mine',
    ],
    ['a header that is none', 'GET / HTTP/1.1\r\nHost: x\r\nX-Request-Id: mine\r\n: x\r\n\r\n', undefined],
  ])('does not overtake answers that are still being made: %s', async (_, broken, id) => {
    await using served = await serveHeldKeySet();
    using connection = await openRaw(served.url);
    connection.write(HELD + get('/nope') + broken);
    await served.arrived;
    served.letGo();
    const replies = await connection.closed();
    expect(replies.map(({ status }) => status)).toEqual([200, 404, 400]);
    const last = replies[2]?.headers.get('x-request-id');
    if (id === undefined) expect(last).toMatch(/^[0-9a-f-]{36}$/);
    else expect(last).toBe(id);
  });

  it('takes nothing from an answer after which the connection ends anyway', async () => {
    await using served = await serveWorld();
    const last = 'GET /openapi.json HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n';
    expect(await sendRaw(served.url, `${last}GARBAGE\r\n\r\n`)).toMatchObject([{ status: 200 }]);
  });

  it('and wanted a tunnel may break off: the server goes on', async () => {
    await using served = await serveHeldKeySet();
    using connection = await openRaw(served.url);
    connection.write(`${HELD}CONNECT x:1 HTTP/1.1\r\nHost: x\r\n\r\n`);
    await expect.poll(() => [...served.server.sockets].some((socket) => socket.bytesRead > 0)).toBe(true);
    connection.socket.resetAndDestroy();
    served.letGo();
    await expect.poll(() => served.server.sockets.size).toBe(0);
    expect(await sendRaw(served.url, 'GET /nope HTTP/1.0\r\n\r\n')).toMatchObject([{ status: 404 }]);
  });

  it('that would switch protocols is the last of its connection: no later answer is taken for another', async () => {
    await using served = await serveWorld();
    const upgrade = 'GET /nope HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\n';
    const [reply, ...more] = await sendRaw(served.url, upgrade + get('/openapi.json'));
    expect([reply?.status, reply?.headers.get('connection'), more]).toEqual([404, 'close', []]);
  });

  it('may be one of HTTP/1.0 with chunks, which are not of it: what follows is not taken for a request', async () => {
    await using served = await serveWorld();
    const head =
      'POST /api/v1/auth.json HTTP/1.0\r\nConnection: keep-alive\r\nTransfer-Encoding: chunked\r\n\r\n';
    const [reply, ...more] = await sendRaw(served.url, `${head}0\r\n\r\n${get('/nope')}`);
    expectProblem(reply, 400, 'malformed-request');
    expect(more).toEqual([]);
  });

  it('with an expectation of its own is answered as without', async () => {
    await using served = await serveWorld();
    const request = 'GET /openapi.json HTTP/1.1\r\nHost: x\r\nConnection: close\r\nExpect: tea\r\n\r\n';
    expect(await sendRaw(served.url, request)).toMatchObject([{ status: 200 }]);
  });
});

describe('a request that takes too long', () => {
  const slowHeaders: Partial<TimeLimits> = { headers: 100, request: 60_000, checkEvery: 20 };
  const slowBodies: Partial<TimeLimits> = { headers: 100, request: 100, checkEvery: 20 };

  it.each<[string, Partial<TimeLimits>, string]>([
    ['to begin', slowHeaders, ''],
    ['with its headers', slowHeaders, 'GET /openapi.json HTTP/1.1\r\nHost: x\r\n'],
    ['with its body', slowBodies, `${post}Content-Length: 10\r\n\r\n{`],
    ['with its chunks', slowBodies, `${post}Transfer-Encoding: chunked\r\n\r\n1\r\n{\r\n`],
  ])('%s is answered, and the connection is closed', async (_, timeLimits, begun) => {
    await using served = await serveWorld({ timeLimits });
    const [reply, ...more] = await sendRaw(served.url, begun);
    expectProblem(reply, 408, 'request-timeout');
    expect(more).toEqual([]);
  });

  it('with its body is answered under its own id', async () => {
    await using served = await serveWorld({ timeLimits: slowBodies });
    const [reply] = await sendRaw(served.url, `${post}X-Request-Id: mine\r\nContent-Length: 10\r\n\r\n{`);
    expect([reply?.status, reply?.headers.get('x-request-id')]).toEqual([408, 'mine']);
  });

  it('and was answered already is cut without another answer', async () => {
    await using served = await serveWorld({ timeLimits: slowBodies });
    const replies = await sendRaw(served.url, `${post}Content-Length: 99999\r\n\r\n{`);
    expect(replies.map(({ status }) => status)).toEqual([413]);
  });
});

describe('a client that ends its side of the connection', () => {
  it('gets the answers to what it asked, and then the connection is gone', async () => {
    await using served = await serveHeldKeySet();
    using connection = await openRaw(served.url);
    connection.write(HELD + HELD);
    connection.socket.end();
    await served.arrived;
    await expect.poll(() => [...served.server.sockets].every((socket) => socket.readableEnded)).toBe(true);
    served.letGo();
    expect((await connection.closed()).map(({ status }) => status)).toEqual([200, 200]);
    await expect.poll(() => served.server.sockets.size).toBe(0);
  });

  it('is told when it had not asked to the end, after the answers before', async () => {
    await using served = await serveWorld();
    using connection = await openRaw(served.url);
    connection.socket.end(`${HELD}GET /nope`);
    expect((await connection.closed()).map(({ status }) => status)).toEqual([200, 400]);
  });

  it('and asked nothing leaves nothing behind', async () => {
    await using served = await serveWorld();
    for (const asked of ['', HELD]) {
      using connection = await openRaw(served.url);
      connection.write(asked);
      if (asked) await connection.replies(1);
      connection.socket.end();
      await connection.closed();
    }
    await expect.poll(() => served.server.sockets.size).toBe(0);
  });
});
