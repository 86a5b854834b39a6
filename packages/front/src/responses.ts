import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** The responses to the last two requests of a connection. More requests may follow before they are sent. */
export interface Responses {
  latest: ServerResponse | undefined;
  /** The response that is sent before the latest one. */
  before: ServerResponse | undefined;
}

const noted = new WeakMap<Socket, Responses>();

/** Returns an object that stays up to date, for code that looks at it for each request. */
export function responsesOn(socket: Socket): Readonly<Responses> {
  let responses = noted.get(socket);
  if (responses === undefined) {
    responses = { latest: undefined, before: undefined };
    noted.set(socket, responses);
  }
  return responses;
}

/** Stores the response to the last request. Returns the response that is sent before it. */
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
 * Whether the connection waits for its client: no complete request was read, or the system has accepted the whole response.
 */
export function waitsForClient(socket: Socket): boolean {
  const latest = latestResponse(socket);
  return latest === undefined || latest.writableFinished || !latest.req.complete;
}
