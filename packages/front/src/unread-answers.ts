import type { Socket } from 'node:net';

/** How long an answer may wait for its client without a byte of it being taken, in milliseconds. */
const STALLED_AFTER_MS = 1_000;

/** Tells which connections have answers that their clients do not read. */
export function createUnreadAnswers(elapsedMs = () => performance.now()) {
  /** How many bytes were taken, and since when, as far as was seen. */
  const progress = new WeakMap<Socket, { readonly taken: number; readonly since: number }>();
  return {
    /** Notes how far the answers on these connections have got; to be called several times in `STALLED_AFTER_MS`. */
    look(sockets: Iterable<Socket>): void {
      for (const socket of sockets) {
        if (socket.writableLength === 0) continue;
        const taken = takenFrom(socket);
        if (progress.get(socket)?.taken !== taken) progress.set(socket, { taken, since: elapsedMs() });
      }
    },
    /** Whether an answer waits there, and nothing of it was taken in the last `STALLED_AFTER_MS`. */
    isStalled(socket: Socket): boolean {
      const seen = progress.get(socket);
      if (seen === undefined || socket.writableLength === 0 || seen.taken !== takenFrom(socket)) return false;
      return elapsedMs() - seen.since >= STALLED_AFTER_MS;
    },
  };
}

/** Bytes that the system has taken: of a piece that was written at once, none before it has taken all. */
function takenFrom({ bytesWritten, writableLength }: Socket): number {
  return bytesWritten - writableLength;
}
