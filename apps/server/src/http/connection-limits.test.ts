import { describe, expect, test, vi } from 'vitest';
import { recordLog } from '../../testing/log.ts';
import { openRaw, type RawConnection } from '../../testing/raw-http.ts';
import { serveHeldKeySet } from '../../testing/serve-held-key-set.ts';
import { serveWorld } from '../../testing/serve-world.ts';
import { createRefusedConnectionsLog } from './refused-connections-log.ts';

const REQUEST = 'GET /openapi.json HTTP/1.1\r\nHost: x\r\n\r\n';

async function statusOn(connection: RawConnection): Promise<number | undefined> {
  connection.write(REQUEST);
  return (await connection.replies(1))[0]?.status;
}

describe('a server with as many connections as it may have', () => {
  test('closes one more without an answer, and goes on serving those that it has', async () => {
    const refused = vi.fn();
    await using served = await serveWorld({ connections: { most: 2, refused } });
    using one = await openRaw(served.url);
    using other = await openRaw(served.url);
    expect(await Promise.all([one, other].map(statusOn))).toEqual([200, 200]);
    using tooMany = await openRaw(served.url);
    expect(await tooMany.closed()).toEqual([]);
    expect(refused).toHaveBeenCalledTimes(1);
    other.write(REQUEST);
    expect(await other.replies(2)).toMatchObject([{ status: 200 }, { status: 200 }]);
  });

  test('takes another when one of them is gone', async () => {
    await using served = await serveWorld({ connections: { most: 1 } });
    const one = await openRaw(served.url);
    await statusOn(one);
    one[Symbol.dispose]();
    await expect.poll(() => served.server.sockets.size).toBe(0);
    using another = await openRaw(served.url);
    expect(await statusOn(another)).toBe(200);
  });

  test('says so once a minute, and how many it refused', () => {
    const { log, entries } = recordLog();
    let now = 0;
    const refused = createRefusedConnectionsLog(log, 2, () => now);
    for (const at of [0, 1, 59_999, 60_000, 60_001]) {
      now = at;
      refused();
    }
    expect(entries()).toMatchObject([
      { refused: 1, most: 2 },
      { refused: 3, most: 2 },
    ]);
  });
});

describe('a connection on which nothing happens', () => {
  test('between requests is closed', async () => {
    await using served = await serveWorld({ timeLimits: { betweenRequests: 50 } });
    using connection = await openRaw(served.url);
    const since = performance.now();
    expect(await statusOn(connection)).toBe(200);
    await connection.closed();
    // Node gives a second more than it promises, for a request that is on its way.
    expect(performance.now() - since).toBeLessThan(4000);
  });

  test('because its answer takes long is kept until it is answered', async () => {
    await using served = await serveHeldKeySet({ timeLimits: { standstill: 30 } });
    using connection = await openRaw(served.url);
    connection.write('GET /.well-known/jwks.json HTTP/1.1\r\nHost: x\r\n\r\n');
    const timeOuts = vi.fn();
    await expect.poll(() => served.server.sockets.size).toBe(1);
    const [socket] = served.server.sockets;
    socket?.on('timeout', timeOuts);
    await expect.poll(() => timeOuts.mock.calls.length).toBeGreaterThan(2);
    served.letGo();
    expect(await connection.replies(1)).toMatchObject([{ status: 200 }]);
  });

  test('because its client does not read the answers is closed', async () => {
    await using served = await serveWorld({ timeLimits: { standstill: 200, betweenRequests: 60_000 } });
    using connection = await openRaw(served.url);
    connection.socket.pause();
    const asking = setInterval(() => connection.socket.write(REQUEST.repeat(1000)), 10);
    await expect.poll(() => served.server.sockets.size).toBe(1);
    await expect.poll(() => served.server.sockets.size, { timeout: 10_000 }).toBe(0);
    clearInterval(asking);
  });
});
