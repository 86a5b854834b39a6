import { authenticateToken } from '@gatehouse/domain/tokens';
import { drain } from '@gatehouse/front';
import { openRaw } from '@gatehouse/front/testing';
import { describe, expect, it } from 'vitest';
import { startTestServer } from '../../testing/start-test-server.ts';

const LONG = 60_000;
const never = new AbortController().signal;

/** A server whose token check waits until the test lets it go on. */
async function serveHeld() {
  const gate = Promise.withResolvers<void>();
  const arrived = Promise.withResolvers<void>();
  const served = await startTestServer({
    ports: (world) => ({
      authenticateToken: async (...asked) => {
        arrived.resolve();
        await gate.promise;
        return authenticateToken(world)(...asked);
      },
    }),
  });
  const token = await served.adminToken();
  const get = (path: string) => `GET ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\n\r\n`;
  return { ...served, get, arrived: arrived.promise, letGo: gate.resolve };
}

describe('a server that drains', () => {
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
});
