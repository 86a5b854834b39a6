import { EventEmitter } from 'node:events';
import type { Server, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { openRaw, type RawConnection } from '../testing/raw-http.ts';
import { LARGE, type ServedFront, serveFront } from '../testing/serve-front.ts';
import { createClients } from './clients.ts';
import { limitConnections } from './connection-limits.ts';
import { noteResponse } from './responses.ts';

const REQUEST = `GET ${LARGE} HTTP/1.1\r\nHost: x\r\n\r\n`;

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'performance'] });
});
afterEach(() => {
  vi.useRealTimers();
});

/** A connection whose client asks, one request after the other, until an answer waits for it, and reads nothing. */
async function openStalled({ url, server }: ServedFront): Promise<RawConnection> {
  const connection = await openRaw(url);
  connection.socket.pause();
  await expect.poll(() => server.sockets.size).toBe(1);
  const [socket] = server.sockets;
  server.node.on('request', (request, response) => {
    if (request.socket === socket) response.once('finish', () => connection.write(REQUEST));
  });
  connection.write(REQUEST);
  let before: number | undefined;
  const stands = () => {
    const [last, now] = [before, socket?.bytesWritten];
    before = now;
    return now === last && socket?.writableLength !== 0;
  };
  await expect.poll(stands, { interval: 50, timeout: 10_000 }).toBe(true);
  return connection;
}

test('a client that has not read its answer for a second keeps no other out', async () => {
  const recordLimit = vi.fn();
  const connections = { most: 1, perNetwork: 1, networkOf: (address: string) => address };
  await using served = await serveFront({ connections, recordLimit });
  using stalled = await openStalled(served);
  vi.advanceTimersByTime(900);
  using early = await openRaw(served.url, '127.0.0.2');
  expect(await early.closed()).toEqual([]);
  vi.advanceTimersByTime(500);
  using late = await openRaw(served.url, '127.0.0.2');
  late.write(REQUEST);
  expect(await late.replies(1)).toMatchObject([{ status: 200 }]);
  stalled.socket.resume();
  await stalled.closed();
  expect(recordLimit.mock.calls).toEqual([
    ['connections', '127.0.0.2'],
    ['connections', '127.0.0.2'],
  ]);
});

/** Connections of a server that takes three, and what the system has taken of their answers. */
function arrange() {
  const node = new EventEmitter() as Server;
  const awaiting = new Set<Socket>();
  const limits = { most: 3, perNetwork: 3, networkOf: (address: string) => address };
  limitConnections(node, limits, {
    clients: createClients(limits),
    exceeded: () => undefined,
    awaitsTurn: (socket) => awaiting.has(socket),
  });
  function connect(remoteAddress: string): Socket {
    const socket = Object.defineProperty(new Socket(), 'remoteAddress', { value: remoteAddress });
    node.emit('connection', socket);
    return socket;
  }
  return {
    awaiting,
    idle: connect,
    /** Its answer is being made. */
    busy(address: string): Socket {
      const socket = connect(address);
      noteResponse(socket, { writableFinished: false, req: { complete: true } } as ServerResponse);
      return socket;
    },
    /** Of 100 bytes of its answer, so many were taken. */
    reading(socket: Socket, taken: number): Socket {
      Object.defineProperties(socket, {
        bytesWritten: { value: 100, configurable: true },
        writableLength: { value: 100 - taken, configurable: true },
        // It has none that the system knows of.
        resetAndDestroy: { value: socket.destroy, configurable: true },
      });
      return socket;
    },
  };
}

describe('for a new connection', () => {
  test('a client that reads on keeps its own, however slowly it reads', () => {
    const { busy, reading, idle } = arrange();
    const slow = ['192.0.2.1', '192.0.2.2', '192.0.2.3'].map(busy);
    for (let taken = 0; taken < 100; taken += 10) {
      for (const socket of slow) reading(socket, taken);
      vi.advanceTimersByTime(900);
      expect(idle('192.0.2.4').destroyed).toBe(true);
    }
    expect(slow.map(({ destroyed }) => destroyed)).toEqual([false, false, false]);
    vi.advanceTimersByTime(1_250);
    expect(idle('192.0.2.4').destroyed).toBe(false);
    expect(slow.map(({ destroyed }) => destroyed)).toEqual([true, false, false]);
  });

  test('a client that has read its answer is not taken for one that does not read the next', () => {
    const { busy, reading, idle } = arrange();
    const sockets = ['192.0.2.1', '192.0.2.2', '192.0.2.3'].map(busy);
    for (const socket of sockets) reading(socket, 90);
    vi.advanceTimersByTime(1_250);
    for (const socket of sockets) reading(socket, 100);
    expect(idle('192.0.2.4').destroyed).toBe(true);
    for (const socket of sockets) reading(socket, 95);
    expect(idle('192.0.2.4').destroyed).toBe(true);
  });

  test('idle connections of a network give way before those that are not read', () => {
    const { busy, reading, idle } = arrange();
    const stalled = reading(busy('192.0.2.1'), 0);
    const waiting = idle('192.0.2.1');
    const other = idle('192.0.2.2');
    vi.advanceTimersByTime(1_250);
    expect(idle('192.0.2.3').destroyed).toBe(false);
    expect([stalled, waiting, other].map(({ destroyed }) => destroyed)).toEqual([false, true, false]);
  });

  test('those that are not read, of the network with most connections, give way before idle ones of others', () => {
    const { busy, reading, idle } = arrange();
    const other = idle('192.0.2.2');
    const stalled = [reading(busy('192.0.2.1'), 0), reading(busy('192.0.2.1'), 0)];
    vi.advanceTimersByTime(1_250);
    expect(idle('192.0.2.3').destroyed).toBe(false);
    expect([other, ...stalled].map(({ destroyed }) => destroyed)).toEqual([false, true, false]);
  });

  test('one that is not read from until its turn is not idle, and one that Node itself does not read from may be', () => {
    const { awaiting, idle } = arrange();
    const sockets = ['192.0.2.1', '192.0.2.1', '192.0.2.1'].map(idle);
    const [first, second] = sockets as [Socket, Socket];
    awaiting.add(first);
    second.pause();
    idle('192.0.2.2');
    expect(sockets.map(({ destroyed }) => destroyed)).toEqual([false, true, false]);
  });
});
