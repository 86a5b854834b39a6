import { Server } from 'node:net';
import type { HttpServer } from './http-server.ts';

/** So long a connection may take until what it has received is read; then it is idle, or becomes so later. */
const SWEEP_EVERY_MS = 100;

/**
 * Closes the port, answers what was received, and resolves when the last connection is gone. What is not answered yet is
 * cut after so many milliseconds, or at once by `cutNow`.
 */
export async function drain(
  { node, listening, sockets }: HttpServer,
  { cutAfterMs, cutNow }: { readonly cutAfterMs: number; readonly cutNow: AbortSignal },
): Promise<void> {
  // Node does not count those any more that it left to us.
  const cut = () => {
    for (const socket of sockets) socket.destroy();
  };
  const sweep = () => {
    node.closeIdleConnections();
    // Browsers open connections in advance. Node 24 waits for their first request as for one that is slow.
    for (const socket of sockets) if (socket.bytesRead === 0) socket.destroy();
  };
  // Node's own way would at once cut connections whose next request has come, but was not read yet.
  const closed = Promise.all(
    listening.map(
      (server) => new Promise<void>((resolve) => Server.prototype.close.call(server, () => resolve())),
    ),
  );
  const sweeping = setInterval(sweep, SWEEP_EVERY_MS);
  const cutting = setTimeout(cut, cutAfterMs);
  cutNow.addEventListener('abort', cut);
  try {
    if (cutNow.aborted) cut();
    await closed;
  } finally {
    clearInterval(sweeping);
    clearTimeout(cutting);
    cutNow.removeEventListener('abort', cut);
  }
}
