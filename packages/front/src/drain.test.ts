import { describe, expect, it } from 'vitest';
import { openRaw } from '../testing/raw-http.ts';
import { FOUND, HELD, serveFront } from '../testing/serve-front.ts';
import { drain } from './drain.ts';

const LONG = 60_000;
const never = new AbortController().signal;
const get = (path: string) => `GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`;

describe('a drain', () => {
  it('takes no new connections', async () => {
    await using held = await serveFront();
    const { url } = held;
    await drain(held.server, { cutAfterMs: LONG, cutNow: never });
    await expect(openRaw(url)).rejects.toThrow('ECONNREFUSED');
  });

  it('answers what has come on a connection that was idle, and is not read yet', async () => {
    await using held = await serveFront();
    using connection = await openRaw(held.url);
    connection.write(get(FOUND));
    await connection.replies(1);
    // Written to the socket at once, and read by the server only after this turn of the event loop.
    connection.write(get(FOUND));
    await drain(held.server, { cutAfterMs: LONG, cutNow: never });
    expect((await connection.closed()).map(({ status }) => status)).toEqual([200, 200]);
  });

  it('does not wait for connections on which nothing is asked', async () => {
    await using held = await serveFront();
    using silent = await openRaw(held.url);
    using idle = await openRaw(held.url);
    idle.write(get(FOUND));
    await idle.replies(1);
    await drain(held.server, { cutAfterMs: LONG, cutNow: never });
    expect(await silent.closed()).toEqual([]);
    expect(await idle.closed()).toHaveLength(1);
  });

  it('waits for a request that is still coming', async () => {
    await using held = await serveFront();
    using connection = await openRaw(held.url);
    const [begin, end] = ['GET / HTTP/1.1\r\nHost', ': x\r\nConnection: close\r\n\r\n'];
    connection.write(begin);
    await expect.poll(() => [...held.server.sockets].some((socket) => socket.bytesRead > 0)).toBe(true);
    const drained = drain(held.server, { cutAfterMs: LONG, cutNow: never });
    connection.write(end);
    expect(await connection.closed()).toMatchObject([{ status: 200 }]);
    await drained;
  });

  it.each([
    ['what is not answered in time', ''],
    ['connections that were left to us as well', 'CONNECT x:1 HTTP/1.1\r\nHost: x\r\n\r\n'],
  ])('cuts %s', async (_, more) => {
    await using held = await serveFront();
    using connection = await openRaw(held.url);
    connection.write(get(HELD) + more);
    await held.arrived;
    await drain(held.server, { cutAfterMs: 1, cutNow: never });
    expect(await connection.closed()).toEqual([]);
    held.letGo();
  });

  it('cuts everything at once on the second signal', async () => {
    for (const beforehand of [true, false]) {
      await using held = await serveFront();
      using connection = await openRaw(held.url);
      connection.write(get(HELD));
      await held.arrived;
      const secondSignal = new AbortController();
      if (beforehand) secondSignal.abort();
      const drained = drain(held.server, { cutAfterMs: LONG, cutNow: secondSignal.signal });
      secondSignal.abort();
      await drained;
      expect(await connection.closed()).toEqual([]);
      held.letGo();
    }
  });
});
