import type { IncomingMessage, ServerResponse } from 'node:http';

/**
 * Closes a connection whose client goes on sending the body of a request that was answered `withinMs` ago. Nothing reads it,
 * and the connection could serve others.
 */
export function limitLateBody(request: IncomingMessage, response: ServerResponse, withinMs: number): void {
  const { headers, socket } = request;
  if (headers['content-length'] === undefined && headers['transfer-encoding'] === undefined) return;
  response.once('finish', () => {
    if (request.complete) return;
    const cutting = setTimeout(() => request.complete || socket.destroy(), withinMs).unref();
    // A request whose client leaves emits no `close`; its timer then runs out by itself.
    request.once('close', () => clearTimeout(cutting));
  });
}
