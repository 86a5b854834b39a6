import { authenticateToken } from '@gatehouse/domain/tokens';
import { describe, expect, it } from 'vitest';
import { servePeople } from '../../testing/population.ts';
import { openRaw } from '../../testing/raw-http.ts';
import { drain } from './drain.ts';

const LONG = 60_000;
const never = new AbortController().signal;

/** A server whose token check waits until the test lets it go on. */
async function serveHeld() {
  const gate = Promise.withResolvers<void>();
  const arrived = Promise.withResolvers<void>();
  const served = await servePeople({
    replace: (world) => ({
      authenticateToken: async (...asked) => {
        arrived.resolve();
        await gate.promise;
        return authenticateToken(world)(...asked);
      },
    }),
  });
  const get = (path: string) =>
    `GET ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${served.token}\r\n\r\n`;
  return { ...served, get, arrived: arrived.promise, letGo: gate.resolve };
}

describe('a drain', () => {
  it('answers what was received, and tells its client to leave', async () => {
    await using held = await serveHeld();
    using connection = await openRaw(held.url);
    connection.write(held.get('/api/v1/me.json'));
    await held.arrived;
    held.lifecycle.stage = 'draining';
    const drained = drain(held.server, { cutAfterMs: LONG, cutNow: never });
    held.letGo();
    const [reply, ...more] = await connection.closed();
    expect([reply?.status, reply?.headers.get('connection'), more]).toEqual([200, 'close', []]);
    await drained;
  });

  it('answers all that was received on one connection, in order', async () => {
    await using held = await serveHeld();
    using connection = await openRaw(held.url);
    connection.write(held.get('/api/v1/me.json') + held.get('/nope') + held.get('/openapi.json'));
    await held.arrived;
    held.lifecycle.stage = 'draining';
    const drained = drain(held.server, { cutAfterMs: LONG, cutNow: never });
    held.letGo();
    const replies = await connection.closed();
    expect(replies.map(({ status }) => status)).toEqual([200, 404, 200]);
    expect(replies.map(({ headers }) => headers.get('connection'))).toEqual([
      'keep-alive',
      'keep-alive',
      'close',
    ]);
    await drained;
  });

  it('takes no new connections', async () => {
    await using held = await serveHeld();
    const { url } = held;
    await drain(held.server, { cutAfterMs: LONG, cutNow: never });
    await expect(openRaw(url)).rejects.toThrow('ECONNREFUSED');
  });

  it('answers what has come on a connection that was idle, and is not read yet', async () => {
    await using held = await serveHeld();
    using connection = await openRaw(held.url);
    connection.write(held.get('/openapi.json'));
    await connection.replies(1);
    held.lifecycle.stage = 'draining';
    // Written to the socket at once, and read by the server only after this turn of the event loop.
    connection.write(held.get('/openapi.json'));
    await drain(held.server, { cutAfterMs: LONG, cutNow: never });
    expect((await connection.closed()).map(({ status }) => status)).toEqual([200, 200]);
  });

  it('does not wait for connections on which nothing is asked', async () => {
    await using held = await serveHeld();
    using silent = await openRaw(held.url);
    using idle = await openRaw(held.url);
    idle.write(held.get('/openapi.json'));
    await idle.replies(1);
    await drain(held.server, { cutAfterMs: LONG, cutNow: never });
    expect(await silent.closed()).toEqual([]);
    expect(await idle.closed()).toHaveLength(1);
  });

  it('waits for a request that is still coming', async () => {
    await using held = await serveHeld();
    using connection = await openRaw(held.url);
    const [begin, end] = ['GET /openapi.json HTTP/1.1\r\nHost', ': x\r\nConnection: close\r\n\r\n'];
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
    await using held = await serveHeld();
    using connection = await openRaw(held.url);
    connection.write(held.get('/api/v1/me.json') + more);
    await held.arrived;
    await drain(held.server, { cutAfterMs: 1, cutNow: never });
    expect(await connection.closed()).toEqual([]);
    held.letGo();
  });

  it('cuts everything at once on the second signal', async () => {
    for (const beforehand of [true, false]) {
      await using held = await serveHeld();
      using connection = await openRaw(held.url);
      connection.write(held.get('/api/v1/me.json'));
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
