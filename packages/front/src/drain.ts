import { Server } from 'node:net';
import type { Listener } from './listener.ts';

/**
 * The time between two checks for idle connections while the server stops, in milliseconds. If a request has arrived
 * but was not read before a check, its connection counts as idle and is closed.
 */
const SWEEP_EVERY_MS = 100;

export interface DrainOptions {
  /** The time after which connections are closed even if they have unanswered requests, in milliseconds. */
  readonly cutAfterMs: number;
  /** If this signal is aborted, all connections are closed at once. */
  readonly cutNow: AbortSignal;
}

/**
 * Closes the port, and lets the server answer the requests that it has received. Resolves when the last connection is
 * closed.
 */
export async function drain(
  { node, listening, sockets }: Listener,
  { cutAfterMs, cutNow }: DrainOptions,
): Promise<void> {
  // `node.closeAllConnections` would not close all sockets, because Node no longer tracks a connection after a CONNECT.
  const cut = () => {
    for (const socket of sockets) socket.destroy();
  };
  const sweep = () => {
    node.closeIdleConnections();
    // Closes connections on which nothing was ever received, because Node 24 does not count them as idle. Browsers open
    // such connections before they need them.
    for (const socket of sockets) if (socket.bytesRead === 0) socket.destroy();
  };
  // The `close` of `net.Server` is used, which closes no connections. The `close` of `http.Server` would also close
  // connections whose next request has arrived but is not read yet.
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
