import { once } from 'node:events';
import type { Server } from 'node:http';
import { type AddressInfo, createServer, type Server as NetServer, type Socket } from 'node:net';

export interface ListenerOptions {
  readonly host: string;
  /** The port; 0 for any free port. */
  readonly port: number;
  /**
   * Whether other sockets, also of other processes, listen on the same port. The system then spreads new connections
   * over all of them.
   */
  readonly sharesPort?: boolean | undefined;
}

export type Listener = ReturnType<typeof createListener>;

/**
 * Creates the listener of an HTTP server. Also tracks the listening servers and the open connections, which `drain`
 * closes.
 */
export function createListener(node: Server, { host, port, sharesPort = false }: ListenerOptions) {
  const sockets = new Set<Socket>();
  const listening: NetServer[] = [node];
  node.on('connection', (socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  return {
    node,
    /** All servers that listen on the port: `node`, and the servers that pass their connections to `node`. */
    listening,
    /** All open connections. */
    sockets,
    /** Starts to listen. Rejects with the system's error, such as EADDRINUSE. */
    listen: async () => {
      await once(node.listen({ host, port, exclusive: !sharesPort, reusePort: sharesPort }), 'listening');
      if (sharesPort) listening.push(...(await listenAlongside(node)));
    },
    /** The URL at which clients on this machine reach the listener. Read it only after `listen` has resolved. */
    get url() {
      const { address, family, port: bound } = node.address() as AddressInfo;
      if (family === 'IPv6') return `http://[${address === '::' ? '::1' : address}]:${bound}`;
      return `http://${address === '0.0.0.0' ? '127.0.0.1' : address}:${bound}`;
    },
  };
}

/**
 * The number of sockets that listen on a port. In each turn of the event loop, Node accepts only one connection from
 * each socket, so with more sockets, new clients wait for fewer turns.
 */
export const LISTENING_SOCKETS = 32;

/**
 * Opens more sockets on the port of `node` (SO_REUSEPORT), and passes their connections to `node`. The system spreads
 * new connections over all of them. `node` must have been opened with `reusePort`. Rejects with the system's error.
 */
async function listenAlongside(node: NetServer): Promise<readonly NetServer[]> {
  const { address: host, port } = node.address() as AddressInfo;
  return Promise.all(
    Array.from({ length: LISTENING_SOCKETS - 1 }, async () => {
      // These options are the same as those of Node's HTTP server.
      const server = createServer({ allowHalfOpen: true, noDelay: true }, (socket) => {
        node.emit('connection', socket);
      });
      await new Promise<void>((resolve, reject) => {
        server.once('error', reject).listen({ host, port, reusePort: true }, resolve);
      });
      return server;
    }),
  );
}
