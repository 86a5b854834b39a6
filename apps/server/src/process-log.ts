import { setTimeout as delay } from 'node:timers/promises';
import { destination, type Level, type Logger } from 'pino';
import { createLog } from './log.ts';

/** So much of the log waits for whoever reads it, in bytes; what exceeds it is lost, and counted. */
const WAITING_LIMIT = 16 * 1024 * 1024;
/** Written at once at most, in bytes: PIPE_BUF of Linux, up to which workers' lines are not mixed in a pipe. */
const WRITE_LIMIT = 4096;

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
  maxLength = WAITING_LIMIT,
): ProcessLog {
  // Each line is written as soon as none is being written; without a least length it could not be flushed.
  const output = destination({ dest, sync: false, minLength: 1, maxLength, maxWrite: WRITE_LIMIT });
  const log = createLog(level, output);
  // A full disk, say: what could not be written is tried again with the next line.
  output.on('error', () => undefined);
  let lost = 0;
  output.on('drop', () => {
    lost += 1;
  });
  output.on('drain', () => {
    if (lost === 0) return;
    const lines = lost;
    lost = 0;
    log.error({ lines }, 'lines of the log were lost: whoever reads it was too slow');
  });
  const flush = () => new Promise((resolve) => output.flush(resolve));
  return {
    log,
    async end(limitMs = END_LIMIT_MS) {
      await Promise.race([flush(), delay(limitMs)]);
      // What still waits would be waited for at the exit.
      output.destroy();
    },
  };
}
