import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** The responses to the last two requests of a connection. More requests may follow before they are sent. */
interface Responses {
  latest: ServerResponse | undefined;
  /** The response that is sent before the latest one. */
  before: ServerResponse | undefined;
  /** Whether the last response of the connection is written or waits for its turn. No later request is answered. */
  isEnding: boolean;
}

const noted = new WeakMap<Socket, Responses>();

/** Returns the responses of a connection. The object stays up to date, so a caller can look it up once. */
export const responsesOn = (socket: Socket): Readonly<Responses> => entryOf(socket);

function entryOf(socket: Socket): Responses {
  let responses = noted.get(socket);
  if (responses === undefined) {
    responses = { latest: undefined, before: undefined, isEnding: false };
    noted.set(socket, responses);
  }
  return responses;
}

/** Stores the response to the last request. Returns the response that is sent before it. */
export function noteResponse(socket: Socket, response: ServerResponse): ServerResponse | undefined {
  const responses = entryOf(socket);
  responses.before = responses.latest;
  responses.latest = response;
  return responses.before;
}

export function latestResponse(socket: Socket): ServerResponse | undefined {
  return noted.get(socket)?.latest;
}

/** Whether the server owes the client nothing: no complete request was read, or its whole response was sent. */
export function waitsForClient(socket: Socket): boolean {
  const latest = latestResponse(socket);
  return latest === undefined || latest.writableFinished || !latest.req.complete;
}

/** Claims the last response of a connection. Returns false if it was claimed before. */
export function beginEnding(socket: Socket): boolean {
  const responses = entryOf(socket);
  const isFirst = !responses.isEnding;
  responses.isEnding = true;
  return isFirst;
}

/** Closes a connection once this response is written, and after `withinMs` at the latest. */
export function endAfter(last: ServerResponse, socket: Socket, withinMs: number): void {
  beginEnding(socket);
  const cutting = setTimeout(() => socket.destroy(), withinMs).unref();
  socket.once('close', () => clearTimeout(cutting));
  if (!last.headersSent) last.shouldKeepAlive = false;
  afterwards(last, () => socket.destroySoon());
}

/** Calls `then` when a response is written, or now if there is none. Node sends responses in the order of requests. */
export function afterwards(response: ServerResponse | undefined, then: () => void): void {
  if (response && !response.writableFinished) response.once('finish', then);
  else then();
}
