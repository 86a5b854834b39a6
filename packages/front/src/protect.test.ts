import { describe, expect, it, test } from 'vitest';
import { openRaw, sendRaw } from '../testing/raw-http.ts';
import { HELD, serveFront } from '../testing/serve-front.ts';

const GET_HELD = `GET ${HELD} HTTP/1.1\r\nHost: x\r\n\r\n`;

test('an expectation that is unknown is ignored', async () => {
  await using served = await serveFront();
  const request = 'GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\nExpect: tea\r\n\r\n';
  expect(await sendRaw(served.url, request)).toMatchObject([{ status: 200 }]);
});

describe('a client that ends its side of the connection', () => {
  it('gets the answers to what it asked, and then the connection is gone', async () => {
    await using served = await serveFront();
    using connection = await openRaw(served.url);
    connection.write(GET_HELD + GET_HELD);
    connection.socket.end();
    await served.arrived;
    await expect.poll(() => [...served.server.sockets].every((socket) => socket.readableEnded)).toBe(true);
    served.letGo();
    expect((await connection.closed()).map(({ status }) => status)).toEqual([200, 200]);
    await expect.poll(() => served.server.sockets.size).toBe(0);
  });

  it('is told when it had not asked to the end, after the answers before', async () => {
    await using served = await serveFront();
    served.letGo();
    using connection = await openRaw(served.url);
    connection.socket.end(`${GET_HELD}GET /nope`);
    expect((await connection.closed()).map(({ status }) => status)).toEqual([200, 400]);
  });

  it('and asked nothing leaves nothing behind', async () => {
    await using served = await serveFront();
    served.letGo();
    for (const asked of ['', GET_HELD]) {
      using connection = await openRaw(served.url);
      connection.write(asked);
      if (asked) await connection.replies(1);
      connection.socket.end();
      await connection.closed();
    }
    await expect.poll(() => served.server.sockets.size).toBe(0);
  });
});
