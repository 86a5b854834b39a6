import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';

/** Returns this port if it is free at all addresses of the machine, else any free one. */
export async function findPort(wanted: number): Promise<number> {
  for (const port of [wanted, 0]) {
    const server = createServer().listen(port);
    try {
      await once(server, 'listening');
      return (server.address() as AddressInfo).port;
    } catch {
      // The port is in use.
    } finally {
      server.close();
    }
  }
  throw new Error('no port is free');
}
