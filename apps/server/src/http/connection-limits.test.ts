import { EventEmitter, once } from 'node:events';
import type { Server } from 'node:http';
import { BlockList, connect, Socket } from 'node:net';
import { clientNetwork } from '@gatehouse/postgres';
import { describe, expect, test, vi } from 'vitest';
import { recordLog } from '../../testing/log.ts';
import { openRaw, type RawConnection } from '../../testing/raw-http.ts';
import { serveHeldKeySet } from '../../testing/serve-held-key-set.ts';
import { serveWorld } from '../../testing/serve-world.ts';
import { createLimitRecorder } from './client-limits.ts';
import { limitConnectionsPerAddress } from './connections-per-address.ts';

const REQUEST = 'GET /openapi.json HTTP/1.1\r\nHost: x\r\n\r\n';

async function statusOn(connection: RawConnection): Promise<number | undefined> {
  connection.write(REQUEST);
  return (await connection.replies(1))[0]?.status;
}

describe('a server with as many connections as it may have', () => {
  test('closes one more without an answer, and goes on serving those that it has', async () => {
    const recordLimit = vi.fn();
    await using served = await serveWorld({ connections: { most: 2 }, recordLimit });
    using one = await openRaw(served.url);
    using other = await openRaw(served.url);
    expect(await Promise.all([one, other].map(statusOn))).toEqual([200, 200]);
    using tooMany = await openRaw(served.url);
    expect(await tooMany.closed()).toEqual([]);
    expect(recordLimit.mock.calls).toEqual([['connections']]);
    other.write(REQUEST);
    expect(await other.replies(2)).toMatchObject([{ status: 200 }, { status: 200 }]);
  });

  test('for operations: closes the oldest that waits for no answer, and answers the new one', async () => {
    await using served = await serveWorld({ connections: { most: 2, closesIdle: true } });
    using idle = await openRaw(served.url);
    using half = await openRaw(served.url);
    half.write('GET /openapi.json HTTP/1.1\r\n');
    await expect.poll(() => served.server.sockets.size).toBe(2);
    using third = await openRaw(served.url);
    expect(await statusOn(third)).toBe(200);
    expect(await idle.closed()).toEqual([]);
    using fourth = await openRaw(served.url);
    expect(await statusOn(fourth)).toBe(200);
    expect(await half.closed()).toEqual([]);
    await expect.poll(() => served.server.sockets.size).toBe(2);
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

  test('counts each that it closes, and logs once a minute how many', () => {
    const { log, entries } = recordLog();
    let now = 0;
    const counter = { inc: vi.fn() };
    const record = createLimitRecorder(log, counter, () => now);
    for (const at of [0, 1, 59_999, 60_000, 60_001]) {
      now = at;
      record('connections');
    }
    record('pipelined_requests');
    expect(entries()).toMatchObject([
      {
        closed: 1,
        msg: 'connections are refused: as many are open as this process takes (MAX_CONNECTIONS, LimitNOFILE)',
      },
      { closed: 3 },
      { closed: 1, msg: 'connections are closed: too many pipelined requests are unanswered' },
    ]);
    expect(counter.inc).toHaveBeenCalledTimes(6);
  });

  test('logs of the limit for one address how many it closed of all addresses, and which was last', () => {
    const { log, entries } = recordLog();
    let now = 0;
    const record = createLimitRecorder(log, { inc: vi.fn() }, () => now);
    record('connections_per_address', '192.0.2.1');
    record('connections_per_address', '192.0.2.1');
    now = 60_000;
    record('connections_per_address', '192.0.2.2');
    expect(entries().map(({ closed, last_address }) => ({ closed, last_address }))).toEqual([
      { closed: 1, last_address: '192.0.2.1' },
      { closed: 2, last_address: '192.0.2.2' },
    ]);
  });
});

describe('an address with as many connections as it may have', () => {
  test('has one more closed without an answer, until one of them is gone', async () => {
    const recordLimit = vi.fn();
    await using served = await serveWorld({
      connections: { most: 100, perAddress: { most: 2, networkOf: clientNetwork } },
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

  test('leaves other addresses theirs', async () => {
    await using served = await serveWorld({
      connections: { most: 100, perAddress: { most: 1, networkOf: clientNetwork } },
    });
    using one = await openRaw(served.url);
    expect(await statusOn(one)).toBe(200);
    const { port } = new URL(served.url);
    const socket = connect({ port: Number(port), host: '127.0.0.1', localAddress: '127.0.0.2' });
    socket.write(REQUEST);
    expect(String((await once(socket, 'data'))[0])).toMatch(/^HTTP\/1\.1 200 /);
    socket.destroy();
  });

  test('is an IPv6 /64, and an IPv4 address however it is written', () => {
    const node = new EventEmitter();
    const exceeded = vi.fn();
    limitConnectionsPerAddress(node as Server, { most: 1, networkOf: clientNetwork }, exceeded);
    const addresses = ['2001:db8::1', '2001:db8:0:1::1', '2001:DB8::2', '192.0.2.1', '::ffff:192.0.2.1'];
    for (const remoteAddress of addresses)
      node.emit('connection', Object.defineProperty(new Socket(), 'remoteAddress', { value: remoteAddress }));
    expect(exceeded.mock.calls).toEqual([['2001:DB8::2'], ['192.0.2.1']]);
  });

  test('is not limited if it is a trusted proxy', async () => {
    const except = new BlockList();
    except.addAddress('127.0.0.1');
    await using served = await serveWorld({
      connections: { most: 100, perAddress: { most: 1, except, networkOf: clientNetwork } },
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

  test('because its client does not read the answers is closed, though it asked for a tunnel', async () => {
    await using served = await serveHeldKeySet({ timeLimits: { standstill: 50 } });
    using connection = await openRaw(served.url);
    const tunnels = vi.fn();
    served.server.node.on('connect', tunnels);
    connection.write(
      'GET /.well-known/jwks.json HTTP/1.1\r\nHost: x\r\n\r\nCONNECT x:1 HTTP/1.1\r\nHost: x\r\n\r\n',
    );
    await expect.poll(() => tunnels.mock.calls.length).toBe(1);
    // Like the system when it has no more room for what a client does not read.
    for (const socket of served.server.sockets)
      Object.assign(socket, { _write: () => undefined, _writev: null });
    served.letGo();
    expect(await connection.closed()).toEqual([]);
  });
});
