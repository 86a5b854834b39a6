import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { latestResponse } from './responses.ts';

/**
 * Closes connections on which nothing moves for `afterMs` because the client does not read its response. A connection
 * whose response is still being made is kept.
 */
export function limitStandstill(server: Server, afterMs: number): void {
  server.timeout = afterMs;
  server.on('timeout', endUnlessAnswering);
  // Node removes its own listener when it leaves a connection to us.
  server.on('connect', ({ socket }) => {
    socket.on('timeout', () => endUnlessAnswering(socket));
  });
}

function endUnlessAnswering(socket: Socket): void {
  const latest = latestResponse(socket);
  const isAnswering = latest !== undefined && !latest.writableFinished && socket.writableLength === 0;
  if (isAnswering && !socket.destroyed) socket.setTimeout(socket.timeout ?? 0);
  else socket.destroy();
}
