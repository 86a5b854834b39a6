import type { Socket } from 'node:net';
import pg from 'pg';
import { PRIMARY_SERVER, type PrimaryServer, primaryServerOf } from './primary-server.ts';
import type { PrimaryWatch } from './primary-watch.ts';

/** A new connection, and the socket by which it can be dropped at any moment. */
interface NewConnection {
  readonly client: pg.ClientBase;
  readonly socket: Socket;
}

/**
 * Asks each new connection of a pool where it leads, and drops the connections that lead elsewhere as soon as the watch
 * says so, with the statements that they are executing: what an old primary acknowledges would be lost.
 */
export function createPrimaryConnections(watch: PrimaryWatch) {
  const open = new Map<Socket, PrimaryServer>();
  watch.subscribe(() => {
    for (const [socket, server] of open) {
      const problem = watch.problemOf(server);
      if (problem !== undefined) socket.destroy(new Error(`the connection ${problem}`));
    }
  });
  return {
    /** Throws if the connection may not be used. */
    async admit({ client, socket }: NewConnection): Promise<void> {
      const server = await whereItLeads(client);
      if (server === undefined) return;
      const problem = watch.arrived(server);
      if (problem !== undefined) throw new Error(`DATABASE_URL ${problem}`);
      open.set(socket, server);
      socket.once('close', () => open.delete(socket));
    },
  };
}

/**
 * Undefined where the server does not say, because it is a standby or its functions are not granted: connections to it
 * are then used as they are.
 */
async function whereItLeads(client: pg.ClientBase): Promise<PrimaryServer | undefined> {
  try {
    return primaryServerOf(await client.query(PRIMARY_SERVER));
  } catch (error) {
    // Where the connection itself is lost, its first statement says so.
    if (error instanceof pg.DatabaseError) return undefined;
    throw error;
  }
}
