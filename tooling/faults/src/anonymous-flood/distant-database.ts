import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { addressOf } from '@gatehouse/test-database';

/** A way to a database on which everything takes so much longer in each direction, in milliseconds. */
export async function openDistantDatabase(url: string, oneWayMs: number) {
  const sockets = new Set<Socket>();
  const server = createServer((client) => {
    const upstream = connect(addressOf(url));
    for (const [from, to] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      sockets.add(from);
      // Timers of the same length run in the order in which they were set.
      from.on('data', (chunk) => setTimeout(() => to.write(chunk), oneWayMs));
      from.on('error', () => undefined);
      from.on('close', () => {
        sockets.delete(from);
        setTimeout(() => to.destroy(), oneWayMs);
      });
    }
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const distant = new URL(url);
  distant.host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url: distant.href,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}
