import { fstatSync } from 'node:fs';
import { type DestinationStream, type Level, symbols } from 'pino';
import { createLog } from './log.ts';
import { bufferOf, createLogBuffers } from './log-buffers.ts';
import { openFileOutput } from './output/file-output.ts';
import type { LineSource, LogOutput } from './output/log-output.ts';
import { openPipeOutput } from './output/pipe-output.ts';

/** Maximum size of lines that wait to be written, in bytes; further lines are lost and counted. */
const WAITING_LIMIT = 16 * 1024 * 1024;
/** Interval of messages about lost lines, in milliseconds. */
const SAY_LOST_EVERY_MS = 1000;

/** Longest wait for the log's reader at a graceful shutdown, in milliseconds. */
const END_LIMIT_MS = 1000;

export type ProcessLog = ReturnType<typeof openLog>;

/**
 * Creates the log of a process, which writes to a file descriptor. Requests do not wait for its reader, because with
 * synchronous writes a full pipe would block all of them. Waiting lines are lost if the process is killed.
 *
 * Uses `process.stdout` and not its number, because Node then makes a pipe or a socket non-blocking. Otherwise writing
 * to a full one would stop the process.
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
    const message = 'lines of the log were lost: more was logged than standard output took';
    log.error({ kind: 'lines_lost', ...lost }, message);
  }

  const output = openLogOutput(dest, {
    take: waiting.take,
    progressed() {
      if (waiting.isEmpty() || performance.now() - saidLostAt >= SAY_LOST_EVERY_MS) sayLost();
    },
  });

  // With this symbol, pino passes the facts of each line to the destination.
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
    /** Writes the waiting lines, for at most this many milliseconds. Nothing can be logged after it. */
    async end(limitMs = END_LIMIT_MS): Promise<void> {
      flush();
      sayLost();
      hasEnded = true;
      await output.end(limitMs);
    },
  };
}

/**
 * Opens the output for a file descriptor, which workers share. Linux keeps their writes to a file apart, whatever their
 * length, but writes to a pipe or a socket only up to 4,096 bytes.
 */
function openLogOutput(fd: number, source: LineSource): LogOutput {
  const status = fstatSync(fd);
  return status.isFIFO() || status.isSocket() ? openPipeOutput(fd, source) : openFileOutput(fd, source);
}
