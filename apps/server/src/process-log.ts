import { setTimeout as delay } from 'node:timers/promises';
import { type DestinationStream, destination, type Level, type Logger, symbols } from 'pino';
import { createLog } from './log.ts';
import { createWaitingLines, LINES_LOST, LOG_ROOMS, type LogRoom, roomOf } from './log-rooms.ts';

/** So much of the log waits for whoever reads it, in bytes; what exceeds it is lost, and counted. */
const WAITING_LIMIT = 16 * 1024 * 1024;
/** The part of it that each kind of line has for itself. */
const SHARES = { log: 1 / 16, 'sign-ins': 5 / 16, refusals: 1 / 4, others: 3 / 8 } as const satisfies Record<
  LogRoom,
  number
>;
/** Written at once at most, in bytes: PIPE_BUF of Linux, up to which workers' lines are not mixed in a pipe. */
const WRITE_LIMIT = 4096;
/** While lines are being lost, the log says so once in so many milliseconds. */
const SAY_LOST_EVERY_MS = 1000;

/** Whoever reads the log has so long to read the end of it, in milliseconds, where nobody is in a hurry. */
const END_LIMIT_MS = 1000;

export interface ProcessLog {
  readonly log: Logger;
  /** Writes what waits, for so many milliseconds at most. Nothing can be logged after it. */
  readonly end: (limitMs?: number) => Promise<void>;
}

/**
 * The log of a process, to a file descriptor. No request waits for whoever reads it: were every line written before
 * going on, a pipe that is full would stop all of them. What waits is lost where the process is killed outright.
 *
 * Standard output is asked for, and not its number: Node then sets it not to block. A process with a thread that waits
 * for room in a pipe would not even end.
 */
export function openLog(
  level: Level | 'silent',
  dest: number = process.stdout.fd,
  waitingLimit = WAITING_LIMIT,
): ProcessLog {
  const waiting = createWaitingLines({
    limits: Object.fromEntries(LOG_ROOMS.map((room) => [room, waitingLimit * SHARES[room]])) as Record<
      LogRoom,
      number
    >,
    pieceLimit: WRITE_LIMIT,
  });
  // It has one piece at a time: what is urgent waits for no more than that. Without a least length it could not be
  // flushed.
  const output = destination({ dest, sync: false, minLength: 1, maxWrite: WRITE_LIMIT });
  let state: 'idle' | 'writing' | 'failed' = 'idle';
  let hasEnded = false;
  let saidLostAt = Number.NEGATIVE_INFINITY;

  function writeNext(): void {
    if (state === 'failed') {
      // What could not be written is tried again.
      state = 'writing';
      output.flush();
    }
    if (state === 'writing') return;
    const piece = waiting.take();
    if (piece === undefined) return;
    state = 'writing';
    output.write(piece);
  }

  function sayLost(): void {
    const lost = waiting.takeLost();
    if (lost === undefined) return;
    saidLostAt = performance.now();
    const lines = LOG_ROOMS.reduce((sum, room) => sum + lost[room], 0);
    const counts = { lines, sign_ins: lost['sign-ins'], refusals: lost.refusals };
    log.error(counts, `${LINES_LOST}: standard output is read too slowly`);
  }

  // Knows of each line what it says: pino tells the destinations that have the symbol.
  const byRoom: DestinationStream & { lastMsg?: string; lastObj?: object } = {
    write(line) {
      if (hasEnded) return;
      waiting.add(roomOf(this.lastMsg, this.lastObj), line);
      writeNext();
    },
    [symbols.needsMetadataGsym as never]: true,
  };
  const { log, flush } = createLog(level, byRoom);

  output.on('drain', () => {
    state = 'idle';
    if (waiting.isEmpty || performance.now() - saidLostAt >= SAY_LOST_EVERY_MS) sayLost();
    writeNext();
  });
  // A full disk, say.
  output.on('error', () => {
    state = 'failed';
  });

  return {
    log,
    async end(limitMs = END_LIMIT_MS) {
      flush();
      sayLost();
      hasEnded = true;
      for (let piece = waiting.take(); piece !== undefined; piece = waiting.take()) output.write(piece);
      await Promise.race([new Promise((resolve) => output.flush(resolve)), delay(limitMs)]);
      // What still waits would be waited for at the exit.
      output.destroy();
    },
  };
}
