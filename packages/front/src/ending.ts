import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** Connections whose last response is written or waits for its turn. Nothing else that arrives there is answered. */
const ending = new WeakSet<Socket>();

/** Claims the last response of a connection. Returns false if it was claimed before. */
export function beginEnding(socket: Socket): boolean {
  if (ending.has(socket)) return false;
  ending.add(socket);
  return true;
}

/** Closes a connection once this response is written, and after `withinMs` at the latest. */
export function endAfter(last: ServerResponse, socket: Socket, withinMs: number): void {
  ending.add(socket);
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
