import { EventEmitter, once } from 'node:events';
import type { Server } from 'node:http';
import { BlockList, Socket } from 'node:net';
import { describe, expect, test } from 'vitest';
import { openRaw, type RawConnection } from '../testing/raw-http.ts';
import { serveFront } from '../testing/serve-front.ts';
import { takeTurns } from './turns.ts';

/** A server whose turns take as long as the test decides, and connections that say whether they are read from. */
function arrange() {
  const node = new EventEmitter() as Server;
  let now = 0;
  const clients = new Map<Socket, string>();
  const handled: string[] = [];
  const { take, inTurn } = takeTurns(
    node,
    {
      ofConnection: (socket) => clients.get(socket),
      isProxy: (socket) => clients.get(socket) === 'proxy',
      ofRequest: ({ headers }) => String(headers['x-forwarded-for']),
    },
    () => now,
  );
  const handle = inTurn(({ headers }) => handled.push(String(headers['x-forwarded-for'])));
  node.on('request', (request, response) => {
    take(request);
    handle(request, response);
  });
  const request = (socket: Socket, client?: string) =>
    node.emit('request', { socket, headers: { 'x-forwarded-for': client } }, {});
  return {
    /** For whom requests were handled since the last time. */
    handled: () => handled.splice(0),
    /** On a connection of a proxy, for a client. */
    forward: request,
    connect(client: string): Socket {
      const socket = new Socket();
      clients.set(socket, client);
      node.emit('connection', socket);
      return socket;
    },
    /** One turn in which each of these has a request, which takes so long altogether, in milliseconds. */
    async turn(sockets: readonly Socket[], took: number) {
      for (const socket of sockets) request(socket);
      // Connections are paused by now, and none is resumed yet.
      await new Promise<void>((resolve) => process.nextTick(resolve));
      const paused = sockets.filter((socket) => socket.isPaused());
      now += took;
      await new Promise(setImmediate);
      return { paused, resumed: paused.filter((socket) => !socket.isPaused()) };
    },
  };
}

const many = (count: number, connect: () => Socket) => Array.from({ length: count }, connect);

test('in short turns all requests are taken', async () => {
  const { connect, turn } = arrange();
  const sockets = many(1_000, () => connect('a'));
  for (let count = 0; count < 3; count += 1) expect((await turn(sockets, 4)).paused).toEqual([]);
});

test('of few connections, all requests are taken however long it takes', async () => {
  const { connect, turn } = arrange();
  const sockets = many(64, () => connect('a'));
  for (let count = 0; count < 3; count += 1) expect((await turn(sockets, 50)).paused).toEqual([]);
  sockets.push(connect('a'));
  await turn(sockets, 50);
  expect((await turn(sockets, 50)).paused).toHaveLength(33);
});

test('after a long turn fewer are, and connections beyond are read from in later turns, each once', async () => {
  const { connect, turn } = arrange();
  const sockets = many(200, () => connect('a'));
  expect((await turn(sockets, 5)).paused).toEqual([]);
  const { paused, resumed } = await turn(sockets, 5);
  expect(paused).toEqual(sockets.slice(100));
  expect(resumed).toEqual(sockets.slice(100, 150));
  expect((await turn([], 5)).paused).toEqual([]);
  expect(sockets.filter((socket) => socket.isPaused())).toEqual(sockets.slice(150 + 32));
  for (let count = 0; count < 4; count += 1) await turn([], 1);
  expect(sockets.filter((socket) => socket.isPaused())).toEqual([]);
  // Once turns are short again, all requests are taken.
  for (let count = 0; count < 4; count += 1) await turn(sockets.slice(0, 1), 1);
  expect((await turn(sockets, 1)).paused).toEqual([]);
});

test('clients take turns, whatever the number of their connections; one that has closed takes none', async () => {
  const { connect, turn } = arrange();
  const ofMany = many(100, () => connect('many'));
  await turn(ofMany, 5);
  const one = connect('one');
  const { resumed } = await turn([...ofMany, one], 50);
  expect(resumed).toHaveLength(32);
  expect(resumed).toContain(one);
  const [closed, next] = ofMany.filter((socket) => socket.isPaused());
  closed?.destroy();
  await turn([], 1);
  expect([closed?.isPaused(), next?.isPaused()]).toEqual([true, false]);
});

test('a connection that Node reads on is paused again until its turn, and has one place', async () => {
  const { connect, turn } = arrange();
  const sockets = many(200, () => connect('a'));
  await turn(sockets, 5);
  await turn(sockets, 5);
  const last = sockets.at(-1) as Socket;
  expect(last.isPaused()).toBe(true);
  const resumed = once(last, 'resume');
  last.resume();
  await resumed;
  expect(last.isPaused()).toBe(true);
  await turn([last], 5);
  expect(last.isPaused()).toBe(true);
  for (let count = 0; count < 5; count += 1) await turn([], 1);
  expect(sockets.filter((socket) => socket.isPaused())).toEqual([]);
});

describe('through a proxy', () => {
  test('in short turns all requests are handled at once', async () => {
    const { connect, forward, handled, turn } = arrange();
    const sockets = many(1_000, () => connect('proxy'));
    for (const socket of sockets) forward(socket, 'a');
    expect(handled()).toHaveLength(1_000);
    await turn([], 4);
    for (const socket of sockets) forward(socket, 'a');
    expect(handled()).toHaveLength(1_000);
  });

  test('clients take turns with their requests, whatever connections those come on', async () => {
    const { connect, forward, handled, turn } = arrange();
    const sockets = many(100, () => connect('proxy'));
    for (const socket of sockets) forward(socket, 'many');
    await turn([], 50);
    handled();
    for (const socket of sockets) forward(socket, 'many');
    expect(handled()).toEqual(Array(50).fill('many'));
    // On a connection that had a request of the other client.
    forward(sockets[0] as Socket, 'one');
    expect(sockets.filter((socket) => socket.isPaused())).toEqual([]);
    expect(handled()).toEqual([]);
    await turn([], 50);
    const next = handled();
    expect(next).toHaveLength(32);
    expect(next).toContain('one');
    await turn([], 50);
    expect(handled()).toEqual(Array(19).fill('many'));
  });

  test('a client has the same turns as on its own connections', async () => {
    const { connect, forward, handled, turn } = arrange();
    const own = many(200, () => connect('many'));
    const proxied = many(100, () => connect('proxy'));
    await turn(own, 50);
    expect((await turn(own, 50)).paused).toHaveLength(100);
    handled();
    for (const socket of proxied) forward(socket, 'many');
    forward(proxied[0] as Socket, 'one');
    await turn([], 50);
    // Its own connections were first.
    expect(handled()).toEqual(['one']);
  });

  test('a request is not handled when its connection has closed before its turn', async () => {
    const { connect, forward, handled, turn } = arrange();
    const sockets = many(100, () => connect('proxy'));
    for (const socket of sockets) forward(socket, 'a');
    await turn([], 50);
    handled();
    for (const [index, socket] of sockets.entries()) forward(socket, String(index));
    expect(handled()).toHaveLength(50);
    sockets[50]?.destroy();
    await turn([], 50);
    expect(handled()).toEqual(Array.from({ length: 31 }, (_, index) => String(index + 51)));
  });
});

/** Each request makes its turn a long one. */
function slowDown(node: Server): void {
  node.on('request', () => {
    const until = performance.now() + 1;
    while (performance.now() < until);
  });
}

async function closeAll(connections: readonly RawConnection[]): Promise<void> {
  for (const { socket } of connections) {
    socket.destroy();
    await once(socket, 'close');
  }
}

test('a connection that was paused is answered, again and again', async () => {
  await using served = await serveFront();
  const { node } = served.server;
  const request = 'GET /nope HTTP/1.1\r\nHost: x\r\n\r\n';
  let pauses = 0;
  node.prependListener('request', ({ socket }) => socket.once('pause', () => (pauses += 1)));
  slowDown(node);
  const connections = await Promise.all(many(100, () => new Socket()).map(() => openRaw(served.url)));
  for (let count = 1; count <= 5; count += 1) {
    for (const connection of connections) connection.write(request);
    const replies = await Promise.all(connections.map((connection) => connection.replies(count)));
    expect(replies.flat().map(({ status }) => status)).toEqual(Array(100 * count).fill(404));
  }
  expect(pauses).toBeGreaterThan(0);
  await closeAll(connections);
});

test('a client of a trusted proxy is not behind all requests of another, also on a connection that both use', async () => {
  const except = new BlockList();
  except.addAddress('127.0.0.1');
  const connections = { most: 1_000, perNetwork: 1_000, networkOf: (address: string) => address, except };
  await using served = await serveFront({ connections });
  const { node } = served.server;
  const request = (address: string) => `GET /nope HTTP/1.1\r\nHost: x\r\nX-Forwarded-For: ${address}\r\n\r\n`;
  const answered: unknown[] = [];
  node.on('request', ({ headers }, response) => {
    response.once('finish', () => answered.push(headers['x-forwarded-for']));
  });
  slowDown(node);
  const opened = await Promise.all(many(100, () => new Socket()).map(() => openRaw(served.url)));
  for (let round = 1; round <= 5; round += 1) {
    answered.length = 0;
    for (const connection of opened.slice(1)) connection.write(request('192.0.2.1'));
    opened[0]?.write(request('198.51.100.1'));
    const replies = await Promise.all(opened.map((connection) => connection.replies(round)));
    expect(replies.flat().map(({ status }) => status)).toEqual(Array(100 * round).fill(404));
    // The first rounds make turns long.
    if (round > 3) expect(answered.indexOf('198.51.100.1')).toBeLessThan(90);
    // The next time on a connection that the other client used.
    opened.push(opened.shift() as RawConnection);
  }
  await closeAll(opened);
});
