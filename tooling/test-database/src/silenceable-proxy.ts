import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { addressOf } from './address.ts';

/** A way to the database that can fail. */
export interface SilenceableProxy {
  readonly url: string;
  /** Connections stay and new ones are accepted, and nothing comes through any more: what is sent is lost. */
  silence(now: boolean): void;
  /** Connections are cut, and new ones with them. */
  cut(now: boolean): void;
  /** Until there is another connection. */
  connected(): Promise<void>;
  close(): Promise<void>;
}

export async function openSilenceableProxy(url: string): Promise<SilenceableProxy> {
  const sockets = new Set<Socket>();
  let silent = false;
  let isCut = false;
  let connected = Promise.withResolvers<void>();
  const cutAll = () => {
    for (const socket of sockets) socket.destroy();
  };
  const server = createServer((client) => {
    if (isCut) return client.destroy();
    connected.resolve();
    const upstream = connect(addressOf(url));
    for (const [from, to] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      sockets.add(from);
      from.on('data', (chunk) => {
        if (!silent) to.write(chunk);
      });
      from.on('error', () => undefined);
      from.on('close', () => {
        sockets.delete(from);
        to.destroy();
      });
    }
    return undefined;
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const proxied = new URL(url);
  proxied.host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url: proxied.href,
    silence(now) {
      silent = now;
    },
    cut(now) {
      isCut = now;
      if (now) cutAll();
    },
    connected() {
      connected = Promise.withResolvers();
      return connected.promise;
    },
    async close() {
      cutAll();
      server.close();
      await once(server, 'close');
    },
  };
}
