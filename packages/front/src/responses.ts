import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** The responses to the last two requests of a connection. */
interface Responses {
  latest: ServerResponse | undefined;
  /** The response to the request before the latest request; it is sent before `latest`. */
  before: ServerResponse | undefined;
  /**
   * Whether it is decided which response is the last one before the connection is closed. Later requests are not
   * answered.
   */
  isEnding: boolean;
}

const noted = new WeakMap<Socket, Responses>();

/** Returns the responses of a connection. The returned object is updated with each new request. */
export const responsesOn = (socket: Socket): Readonly<Responses> => entryOf(socket);

function entryOf(socket: Socket): Responses {
  let responses = noted.get(socket);
  if (responses === undefined) {
    responses = { latest: undefined, before: undefined, isEnding: false };
    noted.set(socket, responses);
  }
  return responses;
}

/**
 * Records the response to a new request of a connection. Returns the response to the previous request; undefined for
 * the first request.
 */
export function noteResponse(socket: Socket, response: ServerResponse): ServerResponse | undefined {
  const responses = entryOf(socket);
  responses.before = responses.latest;
  responses.latest = response;
  return responses.before;
}

export function latestResponse(socket: Socket): ServerResponse | undefined {
  return noted.get(socket)?.latest;
}

/**
 * Whether the connection waits for its client: every complete request was answered, and the whole response was sent.
 */
export function waitsForClient(socket: Socket): boolean {
  const latest = latestResponse(socket);
  return latest === undefined || latest.writableFinished || !latest.req.complete;
}

/**
 * Marks a connection as ending, so that no later request is answered. If this returns true, the caller must send the
 * last response and close the connection. Returns false if the connection was marked before.
 */
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

/**
 * Calls `then` when a response is written, or at once if `response` is undefined or written already. Node sends
 * responses in the order of the requests, so all earlier responses are written by then.
 */
export function afterwards(response: ServerResponse | undefined, then: () => void): void {
  if (response && !response.writableFinished) response.once('finish', then);
  else then();
}
