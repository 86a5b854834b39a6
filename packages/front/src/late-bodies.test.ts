import { expect, test } from 'vitest';
import { openRaw } from '../testing/raw-http.ts';
import { serveFront } from '../testing/serve-front.ts';

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
