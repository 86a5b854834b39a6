import type { Socket } from 'node:net';
import type pg from 'pg';
import { findServer, type PrimaryServer } from './primary-server.ts';
import type { PrimaryWatch } from './primary-watch.ts';

/**
 * Keeps the connections of a pool on the primary. Asks each new connection which server it leads to. As soon as the watch
 * finds another primary, drops the connections to other servers, even while they execute statements: changes that an old
 * primary acknowledges would be lost. The returned function admits a connection, or throws if the connection may not be
 * used.
 */
export function createPrimaryConnections(watch: PrimaryWatch) {
  const open = new Map<Socket, PrimaryServer>();
  watch.subscribe(() => {
    for (const [socket, server] of open) {
      const problem = watch.problemOf(server);
      if (problem !== undefined) socket.destroy(new Error(`the connection ${problem}`));
    }
  });
  return async (client: pg.ClientBase, socket: Socket): Promise<void> => {
    const server = await findServer((statement) => client.query(statement));
    if (server === undefined) return;
    const problem = watch.arrived(server);
    if (problem !== undefined) throw new Error(`DATABASE_URL ${problem}`);
    open.set(socket, server);
    socket.once('close', () => open.delete(socket));
  };
}
