import type { IncomingMessage, ServerResponse } from 'node:http';

/**
 * Closes a connection whose client is still sending the body `withinMs` after the response. The body is not read, and it
 * would keep the connection from others.
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
