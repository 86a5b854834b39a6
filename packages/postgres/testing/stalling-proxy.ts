import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { addressOf } from '@gatehouse/test-database';

/** A proxy to the database that can stall, as behind a suspended client. */
export async function openStallingProxy(url: string) {
  const sockets = new Set<Socket>();
  const server = createServer((client) => {
    const upstream = connect(addressOf(url));
    for (const [one, other] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      sockets.add(one);
      one.on('error', () => undefined);
      one.on('data', (chunk) => other.write(chunk));
      one.on('close', () => other.destroy());
    }
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const proxied = new URL(url);
  proxied.host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url: proxied.href,
    /** Stops reading from either side. */
    stall() {
      for (const socket of sockets) socket.pause();
    },
    async close() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}
