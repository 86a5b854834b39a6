import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';

/** Returns ports that were free just now, for servers that restart on the same port or get theirs as a setting. */
export async function freePorts(count: number): Promise<readonly number[]> {
  const servers = Array.from({ length: count }, () => createServer().listen(0, '127.0.0.1'));
  await Promise.all(servers.map((server) => server.listening || once(server, 'listening')));
  const ports = servers.map((server) => (server.address() as AddressInfo).port);
  await Promise.all(servers.map((server) => once(server.close(), 'close')));
  return ports;
}
