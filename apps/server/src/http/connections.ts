import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

interface Responses {
  latest: ServerResponse;
  before: ServerResponse | undefined;
}

const responses = new WeakMap<Socket, Responses>();

/**
 * Remembers the response to the request that came last on a connection; more may follow before it is sent. Returns the
 * response that goes out before it.
 */
export function noteResponse(socket: Socket, response: ServerResponse): ServerResponse | undefined {
  const known = responses.get(socket);
  if (!known) {
    responses.set(socket, { latest: response, before: undefined });
    return undefined;
  }
  known.before = known.latest;
  known.latest = response;
  return known.before;
}

export function latestResponse(socket: Socket): ServerResponse | undefined {
  return responses.get(socket)?.latest;
}

/** The response that goes out before the latest. */
export function responseBefore(socket: Socket): ServerResponse | undefined {
  return responses.get(socket)?.before;
}

/**
 * Whether the next step is its client's, as far as was read from it: it has sent no whole request yet, or the system has
 * taken its response.
 */
export function waitsForClient(socket: Socket): boolean {
  const latest = latestResponse(socket);
  return latest === undefined || latest.writableFinished || !latest.req.complete;
}
