import type { Socket } from 'node:net';
import type pg from 'pg';
import { findServer, type PrimaryServer } from './primary-server.ts';
import type { PrimaryWatch } from './primary-watch.ts';

/**
 * Keeps the connections of a pool on the primary. The returned function asks the server of each new connection to
 * identify itself, and throws if the connection may not be used. When the watch finds another primary, connections to
 * other servers are closed, even while they execute statements, because changes that an old primary acknowledges would
 * be lost.
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
