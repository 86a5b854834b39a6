import { EventEmitter } from 'node:events';
import type { Server } from 'node:http';
import { BlockList, Socket } from 'node:net';
import { type ConnectionLimits, connectionsOfOneAddress, limitConnections } from '@gatehouse/front';
import { clientNetwork } from '@gatehouse/postgres';
import { describe, expect, test, vi } from 'vitest';
import { recordLog } from '../../testing/log.ts';
import { openRaw, type RawConnection } from '../../testing/raw-http.ts';
import { serveHeldKeySet } from '../../testing/serve-held-key-set.ts';
import { serveWorld } from '../../testing/serve-world.ts';
import { createLimitRecorder } from './client-limits.ts';

const REQUEST = 'GET /openapi.json HTTP/1.1\r\nHost: x\r\n\r\n';
const HELD = 'GET /.well-known/jwks.json HTTP/1.1\r\nHost: x\r\n\r\n';

function limitsOf(limits: Partial<ConnectionLimits>): ConnectionLimits {
  return { most: 100, perNetwork: 100, networkOf: clientNetwork, ...limits };
}

async function statusOn(connection: RawConnection): Promise<number | undefined> {
  connection.write(REQUEST);
  return (await connection.replies(1))[0]?.status;
}

describe('a server with as many connections as it may have', () => {
  test('closes the oldest that waits for its client, and answers the new one', async () => {
    const recordLimit = vi.fn();
    await using served = await serveWorld({ connections: limitsOf({ most: 2 }), recordLimit });
    using idle = await openRaw(served.url);
    using half = await openRaw(served.url);
    half.write(
      'POST /api/v1/auth.json HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 9\r\n\r\n{',
    );
    await expect.poll(() => served.server.sockets.size).toBe(2);
    using third = await openRaw(served.url);
    expect(await statusOn(third)).toBe(200);
    expect(await idle.closed()).toEqual([]);
    using fourth = await openRaw(served.url);
    expect(await statusOn(fourth)).toBe(200);
    expect(await half.closed()).toEqual([]);
    await expect.poll(() => served.server.sockets.size).toBe(2);
    expect(recordLimit.mock.calls).toEqual([
      ['connections', '127.0.0.1'],
      ['connections', '127.0.0.1'],
    ]);
  });

  test('closes the new one if each of the others waits for an answer', async () => {
    await using served = await serveHeldKeySet({ connections: limitsOf({ most: 1 }) });
    using waiting = await openRaw(served.url);
    waiting.write(HELD);
    await served.arrived;
    using tooMany = await openRaw(served.url);
    expect(await tooMany.closed()).toEqual([]);
    served.letGo();
    expect(await waiting.replies(1)).toMatchObject([{ status: 200 }]);
  });

  test('closes those of the network with most, so that none keeps the others out', async () => {
    await using served = await serveWorld({ connections: limitsOf({ most: 4 }) });
    using other = await openRaw(served.url, '127.0.0.2');
    expect(await statusOn(other)).toBe(200);
    const many = await Promise.all(Array.from({ length: 3 }, () => openRaw(served.url, '127.0.0.3')));
    await expect.poll(() => served.server.sockets.size).toBe(4);
    using third = await openRaw(served.url, '127.0.0.4');
    expect(await statusOn(third)).toBe(200);
    expect(await many[0]?.closed()).toEqual([]);
    other.write(REQUEST);
    expect(await other.replies(2)).toMatchObject([{ status: 200 }, { status: 200 }]);
    for (const connection of many) connection[Symbol.dispose]();
  });

  test('closes those of another network where the one with most has none that waits', async () => {
    await using served = await serveHeldKeySet({ connections: limitsOf({ most: 3 }) });
    const busy = await Promise.all(Array.from({ length: 2 }, () => openRaw(served.url, '127.0.0.2')));
    for (const connection of busy) connection.write(HELD);
    await served.arrived;
    using idle = await openRaw(served.url, '127.0.0.3');
    await expect.poll(() => served.server.sockets.size).toBe(3);
    using another = await openRaw(served.url, '127.0.0.4');
    expect(await statusOn(another)).toBe(200);
    expect(await idle.closed()).toEqual([]);
    served.letGo();
    for (const connection of busy) {
      expect(await connection.replies(1)).toMatchObject([{ status: 200 }]);
      connection[Symbol.dispose]();
    }
  });
});

test('connections closed for a limit are counted, and logged once a minute: how many, and the last address', () => {
  const { log, entries } = recordLog();
  let now = 0;
  const counter = { inc: vi.fn() };
  const record = createLimitRecorder({ log, limits: counter }, () => now);
  for (const at of [0, 1, 59_999, 60_000, 60_001]) {
    now = at;
    record('connections_per_address', `192.0.2.${at % 7}`);
  }
  record('pipelined_requests');
  expect(entries()).toMatchObject([
    { closed: 1, last_address: '192.0.2.0', msg: expect.stringContaining('MAX_CONNECTIONS_PER_ADDRESS') },
    { closed: 3, last_address: '192.0.2.3' },
    { closed: 1, msg: 'connections are closed: too many pipelined requests are unanswered' },
  ]);
  expect(counter.inc).toHaveBeenCalledTimes(6);
});

describe('an address with as many connections as it may have', () => {
  test('has one more closed without an answer, until one of them is gone', async () => {
    const recordLimit = vi.fn();
    await using served = await serveWorld({
      connections: limitsOf({ perNetwork: 2 }),
      recordLimit,
    });
    const one = await openRaw(served.url);
    using other = await openRaw(served.url);
    expect(await Promise.all([one, other].map(statusOn))).toEqual([200, 200]);
    using tooMany = await openRaw(served.url);
    expect(await tooMany.closed()).toEqual([]);
    expect(recordLimit.mock.calls).toEqual([['connections_per_address', '127.0.0.1']]);
    one[Symbol.dispose]();
    await expect.poll(() => served.server.sockets.size).toBe(1);
    using another = await openRaw(served.url);
    expect(await statusOn(another)).toBe(200);
  });

  test('is an IPv6 /64, and an IPv4 address however it is written', () => {
    const node = new EventEmitter();
    const exceeded = vi.fn();
    limitConnections(node as Server, limitsOf({ perNetwork: 1 }), { exceeded, awaitsTurn: () => false });
    const addresses = ['2001:db8::1', '2001:db8:0:1::1', '2001:DB8::2', '192.0.2.1', '::ffff:192.0.2.1'];
    for (const remoteAddress of addresses)
      node.emit('connection', Object.defineProperty(new Socket(), 'remoteAddress', { value: remoteAddress }));
    expect(exceeded.mock.calls).toEqual([
      ['connections_per_address', '2001:DB8::2'],
      ['connections_per_address', '192.0.2.1'],
    ]);
  });

  test('is not taken where the client has broken off and has no address any more', () => {
    const node = new EventEmitter();
    limitConnections(node as Server, limitsOf({}), { exceeded: () => undefined, awaitsTurn: () => false });
    const socket = new Socket();
    node.emit('connection', socket);
    expect(socket.destroyed).toBe(true);
  });

  test.each([
    [1, 1],
    [400, 100],
    [10_000, 500],
  ])('may have, of %s connections, %s by default', (most, ofOne) => {
    expect(connectionsOfOneAddress(most)).toBe(ofOne);
  });

  test('is not limited if it is a trusted proxy', async () => {
    const except = new BlockList();
    except.addAddress('127.0.0.1');
    await using served = await serveWorld({
      connections: limitsOf({ perNetwork: 1, except }),
    });
    using one = await openRaw(served.url);
    using other = await openRaw(served.url);
    expect(await Promise.all([one, other].map(statusOn))).toEqual([200, 200]);
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
    connection.write(HELD);
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

  test('because its client does not read the answers is closed, though it asked for a tunnel', async () => {
    await using served = await serveHeldKeySet({ timeLimits: { standstill: 50 } });
    using connection = await openRaw(served.url);
    const tunnels = vi.fn();
    served.server.node.on('connect', tunnels);
    connection.write(`${HELD}CONNECT x:1 HTTP/1.1\r\nHost: x\r\n\r\n`);
    await expect.poll(() => tunnels.mock.calls.length).toBe(1);
    // Like the system when it has no more room for what a client does not read.
    for (const socket of served.server.sockets)
      Object.assign(socket, { _write: () => undefined, _writev: null });
    served.letGo();
    expect(await connection.closed()).toEqual([]);
  });
});
