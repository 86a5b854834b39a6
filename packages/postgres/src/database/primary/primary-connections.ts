import type { Socket } from 'node:net';
import pg from 'pg';
import { PRIMARY_SERVER, type PrimaryServer, primaryServerOf } from './primary-server.ts';
import type { PrimaryWatch } from './primary-watch.ts';

/**
 * Asks each new connection of a pool where it leads. Drops the connections that lead elsewhere as soon as the watch says
 * so, with the statements that they are executing: what an old primary acknowledges would be lost. The returned function
 * admits a connection, or throws if it may not be used.
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
    const server = await serverOf(client);
    if (server === undefined) return;
    const problem = watch.arrived(server);
    if (problem !== undefined) throw new Error(`DATABASE_URL ${problem}`);
    open.set(socket, server);
    socket.once('close', () => open.delete(socket));
  };
}

/**
 * Returns the server to which the connection leads; undefined for a standby, or if its functions are not granted. Such
 * connections are used as they are.
 */
async function serverOf(client: pg.ClientBase): Promise<PrimaryServer | undefined> {
  try {
    return primaryServerOf(await client.query(PRIMARY_SERVER));
  } catch (error) {
    // If the connection itself is lost, its first statement reports that.
    if (error instanceof pg.DatabaseError) return undefined;
    throw error;
  }
}
