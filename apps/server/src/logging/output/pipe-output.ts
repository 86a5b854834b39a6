import fs from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import type { LineSource, LogOutput } from './log-output.ts';

/** Written at once at most, in bytes: PIPE_BUF of Linux, up to which the lines of workers are not mixed. */
const MAX_WRITE = 4096;
/** Writes in one turn of the event loop at most: 1 MiB, some milliseconds. */
const MAX_WRITES_PER_TURN = 256;
/** How long a full pipe is left to its reader until the next try, in milliseconds. */
const FULL_PIPE_RETRY_MS = 20;

/**
 * Writes to a pipe or a socket that is set not to block: many small writes in a turn of the event loop, until it is
 * full. One write for each turn, as from a thread, is slower than requests can be refused.
 */
export function openPipeOutput(fd: number, source: LineSource): LogOutput {
  /** Taken from the source and not written yet. */
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

  // What could not be written, not because the pipe is full, is tried again with the next line.
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
