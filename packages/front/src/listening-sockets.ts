import { type AddressInfo, createServer, type Server } from 'node:net';

/** In each turn of the event loop, Node accepts one connection from each listening socket. */
export const LISTENING_SOCKETS = 32;

/**
 * Opens more sockets on the port of `node` (SO_REUSEPORT), which hand their connections to it. The system spreads new
 * connections over all of them. `node` must have been opened with `reusePort`. Rejects with the system's error.
 */
export async function listenAlongside(node: Server): Promise<readonly Server[]> {
  const { address: host, port } = node.address() as AddressInfo;
  return Promise.all(
    Array.from({ length: LISTENING_SOCKETS - 1 }, async () => {
      // As Node's HTTP server has it.
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
