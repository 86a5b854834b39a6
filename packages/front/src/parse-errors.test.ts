import { describe, expect, it, test } from 'vitest';
import { openRaw, type RawReply, sendRaw } from '../testing/raw-http.ts';
import { FOUND, HELD, serveFront } from '../testing/serve-front.ts';
import type { TimeLimits } from './time-limits.ts';

const POST = 'POST / HTTP/1.1\r\nHost: x\r\n';
const get = (path: string) => `GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`;

const statusesOf = (replies: readonly RawReply[]) => replies.map(({ status }) => status);
const refusalOf = (reply: RawReply | undefined) => [
  reply?.status,
  reply?.body,
  reply?.headers.get('connection'),
];

describe('a request that Node cannot read', () => {
  it.each([
    ['no HTTP', 'hello\r\n\r\n'],
    ['an unknown method', 'FOO / HTTP/1.1\r\nHost: x\r\n\r\n'],
    ['a space in the target', 'GET /a b HTTP/1.1\r\nHost: x\r\n\r\n'],
    ['a header without a name', 'GET / HTTP/1.1\r\nHost: x\r\n: x\r\n\r\n'],
    ['a space before the colon', 'GET / HTTP/1.1\r\nHost: x\r\nA : x\r\n\r\n'],
    ['a bare carriage return', 'GET / HTTP/1.1\r\nHost: x\r\nA: x\rB: y\r\n\r\n'],
    ['NUL in a header', 'GET / HTTP/1.1\r\nHost: x\r\nA: \u0000\r\n\r\n'],
    ['two lengths', `${POST}Content-Length: 1\r\nContent-Length: 2\r\n\r\nab`],
    ['a length and chunks', `${POST}Content-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`],
    ['an invalid length', `${POST}Content-Length: -1\r\n\r\n`],
    ['an invalid chunk', `${POST}Transfer-Encoding: chunked\r\n\r\nzz\r\n`],
    ['a tunnel', 'CONNECT evil.example:80 HTTP/1.1\r\nHost: x\r\n\r\n'],
  ])('is refused once, and the connection is closed: %s', async (_, request) => {
    await using served = await serveFront();
    const replies = await sendRaw(served.url, request);
    expect(replies.map(refusalOf)).toEqual([[400, 'malformed_request', 'close']]);
  });

  it('learns that its headers are too large', async () => {
    await using served = await serveFront();
    for (const request of [
      `GET / HTTP/1.1\r\nHost: x\r\nA: ${'x'.repeat(17_000)}\r\n\r\n`,
      get(`/${'1'.repeat(17_000)}`),
    ]) {
      const replies = await sendRaw(served.url, request);
      expect(replies.map(refusalOf)).toEqual([[431, 'headers_too_large', 'close']]);
    }
  });

  it('learns that the extensions of its chunks are too large', async () => {
    await using served = await serveFront();
    const chunk = `1;${'x'.repeat(20_000)}\r\n \r\n`;
    const [reply] = await sendRaw(served.url, `${POST}Transfer-Encoding: chunked\r\n\r\n${chunk}`);
    expect(refusalOf(reply)).toEqual([413, 'body_too_large', 'close']);
  });

  it('is answered after those that came before it on the connection, in their order', async () => {
    await using served = await serveFront();
    served.letGo();
    const requests = get(HELD) + get('/nope') + get(FOUND);
    expect(statusesOf(await sendRaw(served.url, `${requests}GARBAGE\r\n\r\n`))).toEqual([200, 404, 200, 400]);
  });

  it.each([
    ['a tunnel', 'CONNECT evil.example:80 HTTP/1.1\r\nHost: x\r\nX-Request-Id: mine\r\n\r\n', 'mine'],
    ['an invalid chunk', `${POST}X-Request-Id: mine\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n`, 'mine'],
    [
      'an invalid chunk, and more of it',
      `${POST}X-Request-Id: mine\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n`.padEnd(200_000),
      'mine',
    ],
    ['an invalid header', 'GET / HTTP/1.1\r\nHost: x\r\nX-Request-Id: mine\r\n: x\r\n\r\n', ''],
  ])('does not overtake responses that are still being made: %s', async (_, broken, id) => {
    await using served = await serveFront();
    using connection = await openRaw(served.url);
    connection.write(get(HELD) + get('/nope') + broken);
    await served.arrived;
    served.letGo();
    const replies = await connection.closed();
    expect(statusesOf(replies)).toEqual([200, 404, 400]);
    expect(replies[2]?.headers.get('x-request-id')).toBe(id);
  });

  it('takes nothing from a response after which the connection ends anyway', async () => {
    await using served = await serveFront();
    const last = 'GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n';
    expect(await sendRaw(served.url, `${last}GARBAGE\r\n\r\n`)).toMatchObject([{ status: 200 }]);
  });
});

describe('a request that takes too long', () => {
  const slowHeaders: Partial<TimeLimits> = { headers: 100, request: 60_000, checkEvery: 20 };
  const slowBodies: Partial<TimeLimits> = { headers: 100, request: 100, checkEvery: 20 };

  it.each<[string, Partial<TimeLimits>, string]>([
    ['to begin', slowHeaders, ''],
    ['with its headers', slowHeaders, 'GET / HTTP/1.1\r\nHost: x\r\n'],
    ['with its body', slowBodies, `${POST}Content-Length: 10\r\n\r\n{`],
    ['with its chunks', slowBodies, `${POST}Transfer-Encoding: chunked\r\n\r\n1\r\n{\r\n`],
  ])('%s is answered, and the connection is closed', async (_, timeLimits, begun) => {
    await using served = await serveFront({ timeLimits });
    const replies = await sendRaw(served.url, begun);
    expect(replies.map(refusalOf)).toEqual([[408, 'request_timeout', 'close']]);
  });

  it('with its body is answered under its own id', async () => {
    await using served = await serveFront({ timeLimits: slowBodies });
    const [reply] = await sendRaw(served.url, `${POST}X-Request-Id: mine\r\nContent-Length: 10\r\n\r\n{`);
    expect([reply?.status, reply?.headers.get('x-request-id')]).toEqual([408, 'mine']);
  });

  it('and was answered already is cut without another response', async () => {
    await using served = await serveFront({ timeLimits: slowBodies });
    expect(statusesOf(await sendRaw(served.url, `${POST}Content-Length: 99999\r\n\r\n{`))).toEqual([413]);
  });
});

test('a client that asked for a tunnel may break off: the server goes on', async () => {
  await using served = await serveFront();
  using connection = await openRaw(served.url);
  connection.write(`GET ${HELD} HTTP/1.1\r\nHost: x\r\n\r\nCONNECT x:1 HTTP/1.1\r\nHost: x\r\n\r\n`);
  await expect.poll(() => [...served.server.sockets].some((socket) => socket.bytesRead > 0)).toBe(true);
  connection.socket.resetAndDestroy();
  served.letGo();
  await expect.poll(() => served.server.sockets.size).toBe(0);
  expect(await sendRaw(served.url, 'GET /nope HTTP/1.0\r\n\r\n')).toMatchObject([{ status: 404 }]);
});
