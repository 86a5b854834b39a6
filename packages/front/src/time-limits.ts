import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { latestResponse } from './responses.ts';

/**
 * Time limits in milliseconds. Node looks for requests that are too slow once per `checkEvery`, so their connections
 * are closed a little later than the limit.
 */
export const TIME_LIMITS = {
  headers: 9_000,
  /** The time for the whole request to arrive, with headers and body. */
  request: 14_000,
  /** The time between a response and the next request. */
  betweenRequests: 5_000,
  /** If a response is sent before the request's body has arrived, the time for the rest of the body to arrive. */
  lateBody: 1_000,
  /** The time that a response waits for a client that does not read it. */
  standstill: 20_000,
  checkEvery: 50,
} as const;
export type TimeLimits = Readonly<Record<keyof typeof TIME_LIMITS, number>>;

/**
 * Closes connections on which no byte was sent or received for `afterMs`, because the client does not read its
 * response. A connection stays open while the handler has not sent the response yet.
 */
export function limitStandstill(server: Server, afterMs: number): void {
  server.timeout = afterMs;
  server.on('timeout', endUnlessAnswering);
  // Node removes its own timeout listener from a connection after a CONNECT.
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
 * Closes a connection if its client still sends the body of a request `withinMs` after the response. The body is not
 * needed after the response, and the open connection would count against the connection limits.
 */
export function limitLateBody(request: IncomingMessage, response: ServerResponse, withinMs: number): void {
  const { headers, socket } = request;
  if (headers['content-length'] === undefined && headers['transfer-encoding'] === undefined) return;
  response.once('finish', () => {
    if (request.complete) return;
    const cutting = setTimeout(() => request.complete || socket.destroy(), withinMs).unref();
    // If the client closes the connection, the request may emit no `close`; the timer then runs until its end, without
    // an effect.
    request.once('close', () => clearTimeout(cutting));
  });
}
