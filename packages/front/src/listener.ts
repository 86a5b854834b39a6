import { once } from 'node:events';
import type { Server } from 'node:http';
import type { AddressInfo, Server as NetServer, Socket } from 'node:net';
import { listenAlongside } from './listening-sockets.ts';

export interface ListenerOptions {
  readonly host: string;
  /** 0 for any free port. */
  readonly port: number;
  /** Whether several sockets listen there, of this process and of others: the system spreads connections over them. */
  readonly sharesPort?: boolean | undefined;
}

export type Listener = ReturnType<typeof createListener>;

/** Listens with an HTTP server, and keeps what `drain` needs to end it. */
export function createListener(node: Server, { host, port, sharesPort = false }: ListenerOptions) {
  const sockets = new Set<Socket>();
  const listening: NetServer[] = [node];
  node.on('connection', (socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  return {
    node,
    /** All servers that listen, `node` among them. */
    listening,
    /** All open connections. */
    sockets,
    /** Rejects with the system's error, such as EADDRINUSE. */
    listen: async () => {
      await once(node.listen({ host, port, exclusive: !sharesPort, reusePort: sharesPort }), 'listening');
      if (sharesPort) listening.push(...(await listenAlongside(node)));
    },
    /** The URL at which this machine reaches it, once it listens. */
    get url() {
      const { address, family, port: bound } = node.address() as AddressInfo;
      if (family === 'IPv6') return `http://[${address === '::' ? '::1' : address}]:${bound}`;
      return `http://${address === '0.0.0.0' ? '127.0.0.1' : address}:${bound}`;
    },
  };
}
