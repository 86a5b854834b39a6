import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** The responses to the two requests that came last on a connection; more requests may follow before they are sent. */
export interface Responses {
  latest: ServerResponse | undefined;
  /** The response that goes out before the latest. */
  before: ServerResponse | undefined;
}

const noted = new WeakMap<Socket, Responses>();

/** Stays up to date, for what looks at it with each request. */
export function responsesOn(socket: Socket): Readonly<Responses> {
  let responses = noted.get(socket);
  if (responses === undefined) {
    responses = { latest: undefined, before: undefined };
    noted.set(socket, responses);
  }
  return responses;
}

/** Remembers the response to the request that came last. Returns the response that goes out before it. */
export function noteResponse(socket: Socket, response: ServerResponse): ServerResponse | undefined {
  const responses: Responses = responsesOn(socket);
  responses.before = responses.latest;
  responses.latest = response;
  return responses.before;
}

export function latestResponse(socket: Socket): ServerResponse | undefined {
  return noted.get(socket)?.latest;
}

/**
 * Whether the next step is its client's, as far as was read from it: it has sent no whole request yet, or the system has
 * taken its response.
 */
export function waitsForClient(socket: Socket): boolean {
  const latest = latestResponse(socket);
  return latest === undefined || latest.writableFinished || !latest.req.complete;
}
