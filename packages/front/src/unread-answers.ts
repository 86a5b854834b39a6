import type { Socket } from 'node:net';

/** How long a response may wait without its client taking a byte of it, in milliseconds. */
const STALLED_AFTER_MS = 1_000;

/** Detects connections whose clients do not read their responses. */
export function createUnreadAnswers(elapsedMs = () => performance.now()) {
  /** The bytes that each client had taken at the last change, and the time of that change. */
  const progress = new WeakMap<Socket, { readonly taken: number; readonly since: number }>();
  return {
    /** Notes how much of their responses the clients have taken; to be called several times in `STALLED_AFTER_MS`. */
    look(sockets: Iterable<Socket>): void {
      for (const socket of sockets) {
        if (socket.writableLength === 0) continue;
        const taken = takenFrom(socket);
        if (progress.get(socket)?.taken !== taken) progress.set(socket, { taken, since: elapsedMs() });
      }
    },
    /** Whether a response waits there and its client took nothing of it in the last `STALLED_AFTER_MS`. */
    isStalled(socket: Socket): boolean {
      const seen = progress.get(socket);
      if (seen === undefined || socket.writableLength === 0 || seen.taken !== takenFrom(socket)) return false;
      return elapsedMs() - seen.since >= STALLED_AFTER_MS;
    },
  };
}

/** How many bytes the system has taken. A piece that was written in one call counts once all of it is taken. */
function takenFrom({ bytesWritten, writableLength }: Socket): number {
  return bytesWritten - writableLength;
}
