import { Server } from 'node:net';
import type { Listener } from './listener.ts';

/** The longest time that a connection may stay unread while draining, in milliseconds. After that it counts as idle. */
const SWEEP_EVERY_MS = 100;

export interface DrainOptions {
  /** The time after which connections with unanswered requests are cut, in milliseconds. */
  readonly cutAfterMs: number;
  /** Aborting it cuts these connections at once. */
  readonly cutNow: AbortSignal;
}

/** Closes the port, answers what was received, and resolves when the last connection is gone. */
export async function drain(
  { node, listening, sockets }: Listener,
  { cutAfterMs, cutNow }: DrainOptions,
): Promise<void> {
  // Node does not know all of these sockets: it forgets a connection after a CONNECT.
  const cut = () => {
    for (const socket of sockets) socket.destroy();
  };
  const sweep = () => {
    node.closeIdleConnections();
    // Browsers open connections before they need them. Node 24 does not count these as idle.
    for (const socket of sockets) if (socket.bytesRead === 0) socket.destroy();
  };
  // `net.Server` has a `close` that cuts no connection. The one of `http.Server` also cuts connections whose next request has
  // arrived but is not read yet.
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
