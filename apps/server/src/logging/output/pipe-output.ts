import fs from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import type { LineSource, LogOutput } from './log-output.ts';

/**
 * The maximum size of one write, in bytes: PIPE_BUF of Linux. If several processes make larger writes to the same pipe,
 * their lines could mix.
 */
const MAX_WRITE = 4096;
/**
 * The maximum number of writes in one turn of the event loop. Together they write 1 MiB, which takes some milliseconds.
 */
const MAX_WRITES_PER_TURN = 256;
/** The pause before the next attempt to write to a full pipe, in milliseconds. */
const FULL_PIPE_RETRY_MS = 20;

/**
 * Creates an output to a non-blocking pipe or socket. Each turn of the event loop makes many small writes, until the
 * pipe is full. With only one write in each turn, a flood of refused requests would produce lines faster than they are
 * written.
 */
export function openPipeOutput(fd: number, source: LineSource): LogOutput {
  /** The bytes that were taken from the source and are not written yet. */
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

  // If a write fails for another reason than a full pipe, the same bytes are written again when the next line is added.
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
