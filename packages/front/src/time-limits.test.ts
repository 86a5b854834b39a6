import { describe, expect, test, vi } from 'vitest';
import { openRaw } from '../testing/raw-http.ts';
import { FOUND, HELD, LARGE, serveFront } from '../testing/serve-front.ts';

const get = (path: string) => `GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`;

describe('a connection on which nothing happens', () => {
  test('between requests is closed', async () => {
    await using served = await serveFront({ timeLimits: { betweenRequests: 50 } });
    using connection = await openRaw(served.url);
    const since = performance.now();
    connection.write(get(FOUND));
    await connection.replies(1);
    await connection.closed();
    // Node gives a second more than it promises, for a request that is on its way.
    expect(performance.now() - since).toBeLessThan(4000);
  });

  test('because its answer takes long is kept until it is answered', async () => {
    await using served = await serveFront({ timeLimits: { standstill: 30 } });
    using connection = await openRaw(served.url);
    connection.write(get(HELD));
    const timeOuts = vi.fn();
    await expect.poll(() => served.server.sockets.size).toBe(1);
    const [socket] = served.server.sockets;
    socket?.on('timeout', timeOuts);
    await expect.poll(() => timeOuts.mock.calls.length).toBeGreaterThan(2);
    served.letGo();
    expect(await connection.replies(1)).toMatchObject([{ status: 200 }]);
  });

  test('because its client does not read the answers is closed', async () => {
    await using served = await serveFront({ timeLimits: { standstill: 200, betweenRequests: 60_000 } });
    using connection = await openRaw(served.url);
    connection.socket.pause();
    const asking = setInterval(() => connection.socket.write(get(LARGE).repeat(1000)), 10);
    await expect.poll(() => served.server.sockets.size).toBe(1);
    await expect.poll(() => served.server.sockets.size, { timeout: 10_000 }).toBe(0);
    clearInterval(asking);
  });

  test('because its client does not read the answers is closed, though it asked for a tunnel', async () => {
    await using served = await serveFront({ timeLimits: { standstill: 50 } });
    using connection = await openRaw(served.url);
    const tunnels = vi.fn();
    served.server.node.on('connect', tunnels);
    connection.write(`${get(HELD)}CONNECT x:1 HTTP/1.1\r\nHost: x\r\n\r\n`);
    await expect.poll(() => tunnels.mock.calls.length).toBe(1);
    // Like the system when it has no more room for what a client does not read.
    for (const socket of served.server.sockets)
      Object.assign(socket, { _write: () => undefined, _writev: null });
    served.letGo();
    expect(await connection.closed()).toEqual([]);
  });
});

const HEAD = 'GET /nope HTTP/1.1\r\nHost: x\r\n';
const SHORT = `${HEAD}\r\n`;

test.each([
  ['announced', 'Content-Length: 1000\r\n\r\nx'],
  ['chunked', 'Transfer-Encoding: chunked\r\n\r\n1\r\nx\r\n'],
])(
  'a connection on which a body goes on coming after the answer is closed: %s',
  { timeout: 20_000 },
  async (_, body) => {
    const other = { request: 600_000, betweenRequests: 600_000, standstill: 600_000 };
    await using served = await serveFront({ timeLimits: { lateBody: 50, ...other } });
    using connection = await openRaw(served.url);
    connection.write(HEAD + body);
    expect((await connection.closed()).map(({ status }) => status)).toEqual([404]);
  },
);

test('a body that comes in time after the answer keeps the connection', async () => {
  await using served = await serveFront({ timeLimits: { lateBody: 600_000 } });
  using connection = await openRaw(served.url);
  connection.write(`${HEAD}Content-Length: 2\r\n\r\nx`);
  await connection.replies(1);
  connection.write(`x${SHORT}`);
  expect(await connection.replies(2)).toHaveLength(2);
});

test('requests answered before their body arrives add no listeners to their connection', async () => {
  await using served = await serveFront({ timeLimits: { lateBody: 600_000 } });
  using connection = await openRaw(served.url);
  const lateBodies = async (from: number, to: number) => {
    for (let count = from; count < to; count += 1) {
      connection.write(`${HEAD}Content-Length: 2\r\n\r\nx`);
      await connection.replies(count + 1);
      connection.write('x');
    }
    const [socket] = served.server.sockets;
    return socket?.listenerCount('close');
  };
  const atFirst = await lateBodies(0, 2);
  expect(await lateBodies(2, 6)).toBe(atFirst);
});
