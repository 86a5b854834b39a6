import { fstatSync } from 'node:fs';
import { type DestinationStream, type Level, symbols } from 'pino';
import { createLog } from './log.ts';
import { bufferOf, createLogBuffers } from './log-buffers.ts';
import { openFileOutput } from './output/file-output.ts';
import type { LineSource, LogOutput } from './output/log-output.ts';
import { openPipeOutput } from './output/pipe-output.ts';

/**
 * Maximum size of all log lines that wait to be written, in bytes. Further lines are lost, and only their number is
 * logged.
 */
const WAITING_LIMIT = 16 * 1024 * 1024;
/** The minimum time between two log lines about lost lines, in milliseconds. */
const SAY_LOST_EVERY_MS = 1000;

/** How long a graceful stop waits until all log lines are written, in milliseconds. */
const END_LIMIT_MS = 1000;

export type ProcessLog = ReturnType<typeof openLog>;

/**
 * Creates the log of a process, which writes to a file descriptor. Requests do not wait until a line is written: if
 * they did, a full pipe would block all of them. Lines that are not written yet are lost if the process is killed.
 *
 * The default of `dest` is `process.stdout.fd` and not 1: when `process.stdout` is used, Node makes a pipe or a socket
 * non-blocking. If the pipe were blocking, a write to the full pipe would block the process.
 */
export function openLog(
  level: Level | 'silent',
  dest: number = process.stdout.fd,
  waitingLimit = WAITING_LIMIT,
  mixin?: (facts: object) => object,
) {
  const waiting = createLogBuffers(waitingLimit);
  let hasEnded = false;
  let saidLostAt = Number.NEGATIVE_INFINITY;

  function sayLost(): void {
    const lost = waiting.takeLost();
    if (lost === undefined) return;
    saidLostAt = performance.now();
    const message = 'lines of the log were lost, because standard output did not accept them fast enough';
    log.error({ kind: 'lines_lost', ...lost }, message);
  }

  const output = openLogOutput(dest, {
    take: waiting.take,
    progressed() {
      if (waiting.isEmpty() || performance.now() - saidLostAt >= SAY_LOST_EVERY_MS) sayLost();
    },
  });

  // The destination has the symbol `needsMetadataGsym`. So pino sets `lastObj` to the facts of each line before it
  // writes the line.
  const byRoom: DestinationStream & { lastObj?: object } = {
    write(line) {
      if (hasEnded) return;
      waiting.add(bufferOf(this.lastObj), line);
      output.wake();
    },
    [symbols.needsMetadataGsym as never]: true,
  };
  const { log, flush } = createLog(level, byRoom, mixin);

  return {
    log,
    /** Writes the waiting lines, for at most `limitMs` milliseconds. After this call, further lines are ignored. */
    async end(limitMs = END_LIMIT_MS): Promise<void> {
      flush();
      sayLost();
      hasEnded = true;
      await output.end(limitMs);
    },
  };
}

/**
 * Opens the output for a file descriptor, to which workers and the primary process write at the same time. On Linux,
 * writes of several processes to a file never mix. Writes to a pipe or a socket mix only if they are longer than 4,096
 * bytes.
 */
function openLogOutput(fd: number, source: LineSource): LogOutput {
  const status = fstatSync(fd);
  return status.isFIFO() || status.isSocket() ? openPipeOutput(fd, source) : openFileOutput(fd, source);
}
