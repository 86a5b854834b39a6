import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { latestResponse } from './responses.ts';

/**
 * Time limits in milliseconds. Node looks for requests that are too slow every `checkEvery`, so they are cut off a little
 * later than the limit.
 */
export const TIME_LIMITS = {
  headers: 9_000,
  /** The time for the whole request, headers and body. */
  request: 14_000,
  /** The time between a response and the next request. */
  betweenRequests: 5_000,
  /** The time after a response for the rest of the request's body to arrive. */
  lateBody: 1_000,
  /** The time that a response waits for a client that does not read. */
  standstill: 20_000,
  checkEvery: 50,
} as const;
export type TimeLimits = Readonly<Record<keyof typeof TIME_LIMITS, number>>;

/**
 * Closes connections on which no byte was sent or received for `afterMs`, because the client does not read its response. A
 * connection stays open while its response is still being made.
 */
export function limitStandstill(server: Server, afterMs: number): void {
  server.timeout = afterMs;
  server.on('timeout', endUnlessAnswering);
  // Node removes its own listener from the connection of a CONNECT.
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

/**
 * Closes a connection whose client is still sending the body `withinMs` after the response. Nothing reads the body after
 * the response, and the connection would count against the limits meanwhile.
 */
export function limitLateBody(request: IncomingMessage, response: ServerResponse, withinMs: number): void {
  const { headers, socket } = request;
  if (headers['content-length'] === undefined && headers['transfer-encoding'] === undefined) return;
  response.once('finish', () => {
    if (request.complete) return;
    const cutting = setTimeout(() => request.complete || socket.destroy(), withinMs).unref();
    // If the client leaves, the request emits no `close`, and the timer runs out.
    request.once('close', () => clearTimeout(cutting));
  });
}
