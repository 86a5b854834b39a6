import { EventEmitter, once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { expect, test, vi } from 'vitest';
import { serveFront } from '../testing/serve-front.ts';
import { limitBodyPieces, MAX_SMALL_PIECES } from './body-pieces.ts';

const HEAD = 'POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n';

async function send(body: string, isLimited = true) {
  let taken = 0;
  const server = createServer((request, response) => {
    request.on('data', () => {
      taken += 1;
    });
    request.on('end', () => response.end('whole'));
  });
  const exceeded = vi.fn();
  if (isLimited) limitBodyPieces(server, exceeded);
  server.on('clientError', (_, socket: Socket) => socket.destroy());
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const client = connect((server.address() as AddressInfo).port, '127.0.0.1');
  let answer = '';
  client.on('error', () => undefined);
  client.on('data', (bytes) => {
    answer += bytes;
    client.end();
  });
  client.write(HEAD + body);
  if (!body.endsWith('0\r\n\r\n')) client.end();
  await new Promise((resolve) => client.once('close', resolve));
  server.close();
  return { taken, answer, exceeded };
}

test('a body in too many small chunks is cut within the limit', async () => {
  const flood = '1\r\n \r\n'.repeat(20_000);
  expect((await send(flood, false)).taken).toBeGreaterThan(10_000);
  const { taken, answer, exceeded } = await send(flood);
  expect(taken).toBeLessThanOrEqual(MAX_SMALL_PIECES);
  expect(answer).toBe('');
  expect(exceeded).toHaveBeenCalledOnce();
});

test('a body of 16 KiB in 40 chunks, and a large one in many, are taken', async () => {
  for (const [size, chunks] of [
    [410, 40],
    [1_024, 1_000],
  ] as const) {
    const body = `${`${size.toString(16)}\r\n${' '.repeat(size)}\r\n`.repeat(chunks)}0\r\n\r\n`;
    const { answer, exceeded } = await send(body);
    expect(answer).toContain('whole');
    expect(exceeded).not.toHaveBeenCalled();
  }
});

test('the server limits the pieces of bodies that no handler reads', async () => {
  const recordLimit = vi.fn();
  await using served = await serveFront({ recordLimit });
  const head = 'GET /nope HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n';
  let pieces = 0;
  served.server.node.on('request', (request) =>
    request.on('data', () => {
      pieces += 1;
    }),
  );
  const socket = connect(Number(new URL(served.url).port), '127.0.0.1');
  socket.on('error', () => undefined);
  socket.resume();
  socket.write(head + '1\r\n \r\n'.repeat(20_000));
  await new Promise((resolve) => socket.once('close', resolve));
  expect(pieces).toBeLessThanOrEqual(MAX_SMALL_PIECES);
  expect(recordLimit).toHaveBeenCalledExactlyOnceWith('body_pieces');
});

test('a connection that Node gives the parser of a cut one keeps its own limit', () => {
  const server = new EventEmitter() as Server;
  limitBodyPieces(server, () => undefined);
  const parser: { incoming: null; socket: null; 3: ((piece: Uint8Array) => void) | null } = {
    incoming: null,
    socket: null,
    3: () => undefined,
  };
  const connection = () => Object.assign(new EventEmitter(), { parser, destroy: () => undefined });
  const [cut, next] = [connection(), connection()];
  server.emit('connection', cut);
  for (let piece = 0; piece <= MAX_SMALL_PIECES + 1; piece += 1) parser[3]?.(new Uint8Array(1));
  expect(parser[3]).toBeNull();
  server.emit('connection', next);
  const limited = parser[3];
  cut.emit('close');
  expect(parser[3]).toBe(limited);
  for (let piece = 0; piece <= MAX_SMALL_PIECES + 1; piece += 1) parser[3]?.(new Uint8Array(1));
  expect(parser[3]).toBeNull();
});
