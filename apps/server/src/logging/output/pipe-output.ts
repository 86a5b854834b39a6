import fs from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import type { LineSource, LogOutput } from './log-output.ts';

/** The maximum size of one write, in bytes: PIPE_BUF of Linux. Larger writes could mix the lines of workers. */
const MAX_WRITE = 4096;
/** The maximum number of writes in one turn of the event loop: 1 MiB, some milliseconds. */
const MAX_WRITES_PER_TURN = 256;
/** The pause before the next attempt to write to a full pipe, in milliseconds. */
const FULL_PIPE_RETRY_MS = 20;

/**
 * Writes to a non-blocking pipe or socket: many small writes in a turn of the event loop, until it is full. With one
 * write a turn, as a worker thread would do it, a flood of refused requests would produce lines faster than they are
 * written.
 */
export function openPipeOutput(fd: number, source: LineSource): LogOutput {
  /** The bytes that were read from the source and are not written yet. */
  let rest: Buffer = Buffer.alloc(0);
  let isScheduled = false;
  let hasEnded = false;

  function writeTurn(): 'empty' | 'full' | 'failed' | 'more' {
    for (let writes = 0; writes < MAX_WRITES_PER_TURN; writes += 1) {
      if (rest.length === 0) rest = Buffer.from(source.take(MAX_WRITE) ?? '');
      if (rest.length === 0) return 'empty';
      try {
        rest = rest.subarray(fs.writeSync(fd, rest));
      } catch (error) {
        return (error as NodeJS.ErrnoException).code === 'EAGAIN' ? 'full' : 'failed';
      }
      if (rest.length === 0) source.progressed();
    }
    return 'more';
  }

  function run(): void {
    if (hasEnded) return;
    const state = writeTurn();
    isScheduled = state === 'more' || state === 'full';
    if (state === 'more') setImmediate(run);
    if (state === 'full') setTimeout(run, FULL_PIPE_RETRY_MS);
  }

  // A write that failed for another reason than a full pipe is tried again with the next line.
  function wake(): void {
    if (isScheduled) return;
    isScheduled = true;
    setImmediate(run);
  }

  return {
    wake,
    async end(limitMs) {
      hasEnded = true;
      const deadline = performance.now() + limitMs;
      for (let state = writeTurn(); state === 'full' || state === 'more'; state = writeTurn()) {
        if (performance.now() >= deadline) return;
        await delay(state === 'full' ? FULL_PIPE_RETRY_MS : 0);
      }
    },
  };
}
