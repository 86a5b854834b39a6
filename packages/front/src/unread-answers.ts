import type { Socket } from 'node:net';

/** The longest time that a response may wait while its client reads no byte of it, in milliseconds. */
const STALLED_AFTER_MS = 1_000;

/** Detects connections whose clients do not read their responses. */
export function createUnreadAnswers(elapsedMs = () => performance.now()) {
  /** The number of bytes that each client had received at the last change, and the time of that change. */
  const progress = new WeakMap<Socket, { readonly taken: number; readonly since: number }>();
  return {
    /** Records how much of their responses the clients have received. Call it several times in `STALLED_AFTER_MS`. */
    look(sockets: Iterable<Socket>): void {
      for (const socket of sockets) {
        if (socket.writableLength === 0) continue;
        const taken = takenFrom(socket);
        if (progress.get(socket)?.taken !== taken) progress.set(socket, { taken, since: elapsedMs() });
      }
    },
    /** Whether a response waits on this connection and its client read nothing of it in the last `STALLED_AFTER_MS`. */
    isStalled(socket: Socket): boolean {
      const seen = progress.get(socket);
      if (seen === undefined || socket.writableLength === 0 || seen.taken !== takenFrom(socket)) return false;
      return elapsedMs() - seen.since >= STALLED_AFTER_MS;
    },
  };
}

/** The number of bytes that the operating system has accepted. A piece counts when the system has accepted all of it. */
function takenFrom({ bytesWritten, writableLength }: Socket): number {
  return bytesWritten - writableLength;
}
