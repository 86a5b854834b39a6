import type { Socket } from 'node:net';

/** If a client reads no byte of a waiting response for this time, the connection counts as stalled, in milliseconds. */
const STALLED_AFTER_MS = 1_000;

/** Detects connections whose clients do not read their responses. */
export function createUnreadAnswers(elapsedMs = () => performance.now()) {
  /**
   * For each connection, the number of bytes that were sent when that number last changed, and the time of that change.
   */
  const progress = new WeakMap<Socket, { readonly taken: number; readonly since: number }>();
  return {
    /**
     * Records how many bytes of waiting responses were sent on each connection. Call this several times within
     * `STALLED_AFTER_MS`.
     */
    look(sockets: Iterable<Socket>): void {
      for (const socket of sockets) {
        if (socket.writableLength === 0) continue;
        const taken = takenFrom(socket);
        if (progress.get(socket)?.taken !== taken) progress.set(socket, { taken, since: elapsedMs() });
      }
    },
    /** Whether a response waits on this connection, and no byte of it was sent in the last `STALLED_AFTER_MS`. */
    isStalled(socket: Socket): boolean {
      const seen = progress.get(socket);
      if (seen === undefined || socket.writableLength === 0 || seen.taken !== takenFrom(socket)) return false;
      return elapsedMs() - seen.since >= STALLED_AFTER_MS;
    },
  };
}

/**
 * Returns the number of bytes that the operating system has accepted to send. The bytes of a write are counted only
 * when the system has accepted all of them.
 */
function takenFrom({ bytesWritten, writableLength }: Socket): number {
  return bytesWritten - writableLength;
}
