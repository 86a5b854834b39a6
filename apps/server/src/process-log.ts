import { type DestinationStream, type Level, type Logger, symbols } from 'pino';
import { createLog } from './log.ts';
import { openLogOutput } from './log-output/log-output.ts';
import { createWaitingLines, LINES_LOST, LOG_ROOMS, type LogRoom, roomOf } from './log-rooms.ts';

/** So much of the log waits to be written, in bytes; what exceeds it is lost, and counted. */
const WAITING_LIMIT = 16 * 1024 * 1024;
/** The part of it that each kind of line has for itself. */
const SHARES = {
  log: 1 / 16,
  'sign-ins': 5 / 16,
  'refused-sign-ins': 3 / 16,
  refusals: 2 / 16,
  others: 5 / 16,
} as const satisfies Record<LogRoom, number>;
/** While lines are being lost, the log says so once in so many milliseconds. */
const SAY_LOST_EVERY_MS = 1000;

/** How long the end of the log may take to be read at a regular stop, in milliseconds. */
const END_LIMIT_MS = 1000;

export interface ProcessLog {
  readonly log: Logger;
  /** Writes what waits, for so many milliseconds at most. Nothing can be logged after it. */
  readonly end: (limitMs?: number) => Promise<void>;
}

/**
 * Creates the log of a process, which writes to a file descriptor. Requests do not wait for its reader: if each line
 * were written synchronously, a full pipe would stop all of them. Waiting lines are lost if the process is killed.
 *
 * Uses `process.stdout` and not its number, because Node then makes a pipe or a socket non-blocking. Otherwise writing
 * to a full one would stop the process.
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
  });
  let hasEnded = false;
  let saidLostAt = Number.NEGATIVE_INFINITY;

  function sayLost(): void {
    const lost = waiting.takeLost();
    if (lost === undefined) return;
    saidLostAt = performance.now();
    const counts = {
      lines: LOG_ROOMS.reduce((sum, room) => sum + lost[room], 0),
      sign_ins: lost['sign-ins'],
      refused_sign_ins: lost['refused-sign-ins'],
      refusals: lost.refusals,
    };
    log.error(counts, `${LINES_LOST}: more was logged than standard output took`);
  }

  const output = openLogOutput(dest, {
    take: waiting.take,
    progressed() {
      if (waiting.isEmpty || performance.now() - saidLostAt >= SAY_LOST_EVERY_MS) sayLost();
    },
  });

  // Knows of each line what it says: pino tells the destinations that have the symbol.
  const byRoom: DestinationStream & { lastMsg?: string; lastObj?: object } = {
    write(line) {
      if (hasEnded) return;
      waiting.add(roomOf(this.lastMsg, this.lastObj), line);
      output.wake();
    },
    [symbols.needsMetadataGsym as never]: true,
  };
  const { log, flush } = createLog(level, byRoom);

  return {
    log,
    async end(limitMs = END_LIMIT_MS) {
      flush();
      sayLost();
      hasEnded = true;
      await output.end(limitMs);
    },
  };
}
