import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

const latest = new WeakMap<Socket, ServerResponse>();

/** Remembers the response to the request that came last on a connection; more may follow before it is sent. */
export function noteResponse(socket: Socket, response: ServerResponse): void {
  latest.set(socket, response);
}

export function latestResponse(socket: Socket): ServerResponse | undefined {
  return latest.get(socket);
}
