import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

interface Responses {
  latest: ServerResponse;
  before: ServerResponse | undefined;
}

const responses = new WeakMap<Socket, Responses>();

/** Remembers the response to the request that came last on a connection; more may follow before it is sent. */
export function noteResponse(socket: Socket, response: ServerResponse): void {
  const known = responses.get(socket);
  if (known) {
    known.before = known.latest;
    known.latest = response;
  } else {
    responses.set(socket, { latest: response, before: undefined });
  }
}

export function latestResponse(socket: Socket): ServerResponse | undefined {
  return responses.get(socket)?.latest;
}

/** The response that goes out before the latest. */
export function responseBefore(socket: Socket): ServerResponse | undefined {
  return responses.get(socket)?.before;
}
