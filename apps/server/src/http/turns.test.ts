import { EventEmitter, once } from 'node:events';
import type { Server } from 'node:http';
import { Socket } from 'node:net';
import { expect, test } from 'vitest';
import { openRaw } from '../../testing/raw-http.ts';
import { serveWorld } from '../../testing/serve-world.ts';
import { takeTurns } from './turns.ts';

/** A server of which the test decides what a turn takes, and connections that say whether they are read from. */
function arrange() {
  const node = new EventEmitter() as Server;
  let now = 0;
  const clients = new Map<Socket, string>();
  takeTurns(
    node,
    (socket) => clients.get(socket),
    () => now,
  );
  return {
    connect(client: string): Socket {
      const socket = new Socket();
      clients.set(socket, client);
      node.emit('connection', socket);
      return socket;
    },
    /** One turn in which each of these has a request, which takes so long altogether, in milliseconds. */
    async turn(sockets: readonly Socket[], took: number) {
      for (const socket of sockets) node.emit('request', { socket });
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

test('a connection that was paused is answered, again and again', async () => {
  await using served = await serveWorld();
  const { node } = served.server;
  const request = 'GET /nope HTTP/1.1\r\nHost: x\r\n\r\n';
  let pauses = 0;
  node.prependListener('request', ({ socket }) => socket.once('pause', () => (pauses += 1)));
  // Each request makes its turn a long one.
  node.on('request', () => {
    const until = performance.now() + 1;
    while (performance.now() < until);
  });
  const connections = await Promise.all(many(100, () => new Socket()).map(() => openRaw(served.url)));
  for (let count = 1; count <= 5; count += 1) {
    for (const connection of connections) connection.write(request);
    const replies = await Promise.all(connections.map((connection) => connection.replies(count)));
    expect(replies.flat().map(({ status }) => status)).toEqual(Array(100 * count).fill(404));
  }
  expect(pauses).toBeGreaterThan(0);
  for (const { socket } of connections) {
    socket.destroy();
    await once(socket, 'close');
  }
});
