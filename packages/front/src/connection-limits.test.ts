import { EventEmitter } from 'node:events';
import type { Server } from 'node:http';
import { BlockList, Socket } from 'node:net';
import { describe, expect, test, vi } from 'vitest';
import { openRaw, type RawConnection } from '../testing/raw-http.ts';
import { FOUND, HELD, serveFront } from '../testing/serve-front.ts';
import { createClients } from './clients.ts';
import { type ConnectionLimits, connectionsOfOneAddress, limitConnections } from './connection-limits.ts';

const get = (path: string) => `GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`;

function limitsOf(limits: Partial<ConnectionLimits>): ConnectionLimits {
  return { most: 100, perNetwork: 100, networkOf: (address) => address, ...limits };
}

async function statusOn(connection: RawConnection): Promise<number | undefined> {
  connection.write(get(FOUND));
  return (await connection.replies(1))[0]?.status;
}

describe('a server with as many connections as it may have', () => {
  test('closes the oldest that waits for its client, and answers the new one', async () => {
    const recordLimit = vi.fn();
    await using served = await serveFront({ connections: limitsOf({ most: 2 }), recordLimit });
    using idle = await openRaw(served.url);
    using half = await openRaw(served.url);
    half.write('POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\n{');
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
    await using served = await serveFront({ connections: limitsOf({ most: 1 }) });
    using waiting = await openRaw(served.url);
    waiting.write(get(HELD));
    await served.arrived;
    using tooMany = await openRaw(served.url);
    expect(await tooMany.closed()).toEqual([]);
    served.letGo();
    expect(await waiting.replies(1)).toMatchObject([{ status: 200 }]);
  });

  test('closes those of the network with most, so that none keeps the others out', async () => {
    await using served = await serveFront({ connections: limitsOf({ most: 4 }) });
    using other = await openRaw(served.url, '127.0.0.2');
    expect(await statusOn(other)).toBe(200);
    const many = await Promise.all(Array.from({ length: 3 }, () => openRaw(served.url, '127.0.0.3')));
    await expect.poll(() => served.server.sockets.size).toBe(4);
    using third = await openRaw(served.url, '127.0.0.4');
    expect(await statusOn(third)).toBe(200);
    expect(await many[0]?.closed()).toEqual([]);
    other.write(get(FOUND));
    expect(await other.replies(2)).toMatchObject([{ status: 200 }, { status: 200 }]);
    for (const connection of many) connection[Symbol.dispose]();
  });

  test('closes those of another network where the one with most has none that waits', async () => {
    await using served = await serveFront({ connections: limitsOf({ most: 3 }) });
    const busy = await Promise.all(Array.from({ length: 2 }, () => openRaw(served.url, '127.0.0.2')));
    for (const connection of busy) connection.write(get(HELD));
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

describe('an address with as many connections as it may have', () => {
  test('has one more closed without an answer, until one of them is gone', async () => {
    const recordLimit = vi.fn();
    await using served = await serveFront({
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

  test('is its network, and an IPv4 address however it is written', () => {
    const node = new EventEmitter();
    const exceeded = vi.fn();
    const networkOf = (address: string) => address.slice(0, 9).toLowerCase();
    const limits = limitsOf({ perNetwork: 1, networkOf });
    limitConnections(node as Server, limits, {
      clients: createClients(limits),
      exceeded,
      awaitsTurn: () => false,
    });
    const addresses = ['2001:db8::1', '2001:db9::1', '2001:DB8::2', '192.0.2.1', '::ffff:192.0.2.1'];
    for (const remoteAddress of addresses)
      node.emit('connection', Object.defineProperty(new Socket(), 'remoteAddress', { value: remoteAddress }));
    expect(exceeded.mock.calls).toEqual([
      ['connections_per_address', '2001:DB8::2'],
      ['connections_per_address', '192.0.2.1'],
    ]);
  });

  test('is not taken where the client has broken off and has no address any more', () => {
    const node = new EventEmitter();
    limitConnections(node as Server, limitsOf({}), {
      clients: createClients(limitsOf({})),
      exceeded: () => undefined,
      awaitsTurn: () => false,
    });
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
    await using served = await serveFront({
      connections: limitsOf({ perNetwork: 1, except }),
    });
    using one = await openRaw(served.url);
    using other = await openRaw(served.url);
    expect(await Promise.all([one, other].map(statusOn))).toEqual([200, 200]);
  });
});
