import { type AddressInfo, createServer, type Server } from 'node:net';

/** In each turn of the event loop, Node accepts one connection from each listening socket. */
export const LISTENING_SOCKETS = 32;

/**
 * More sockets that listen where `node` listens (SO_REUSEPORT), and hand their connections to it. The system spreads new
 * connections over all of them. `node` has to have been opened to share its port.
 *
 * @throws what the system says
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
