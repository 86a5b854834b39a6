import { setTimeout as delay } from 'node:timers/promises';
import { destination } from 'pino';
import type { LineSource, LogOutput } from './log-output.ts';

/**
 * The maximum size of one write, in bytes. It is more than all requests of one turn of the event loop log. The next write
 * begins in a later turn, so with a smaller size lines would come faster than they are written.
 */
const MAX_WRITE = 1024 * 1024;

/** Writes to a file, or to a terminal, from a thread: a disk can be slow. */
export function openFileOutput(fd: number, source: LineSource): LogOutput {
  // The output gets the next piece when the last one is written, so that urgent lines wait for one piece at most. pino's
  // destination can be flushed only if it has a `minLength`.
  const output = destination({ dest: fd, sync: false, minLength: 1, maxWrite: MAX_WRITE });
  let state: 'idle' | 'writing' | 'failed' = 'idle';

  function wake(): void {
    if (state === 'failed') {
      // Writes the piece again whose write failed.
      state = 'writing';
      output.flush();
    }
    if (state === 'writing') return;
    const piece = source.take(MAX_WRITE);
    if (piece === undefined) return;
    state = 'writing';
    output.write(piece);
  }

  output.on('drain', () => {
    state = 'idle';
    source.progressed();
    wake();
  });
  // A write failed, for example because the disk is full.
  output.on('error', () => {
    state = 'failed';
  });

  return {
    wake,
    async end(limitMs) {
      for (let piece = source.take(MAX_WRITE); piece !== undefined; piece = source.take(MAX_WRITE))
        output.write(piece);
      await Promise.race([new Promise((resolve) => output.flush(resolve)), delay(limitMs)]);
      // The output is destroyed, because the process would otherwise not exit before the remaining lines are written.
      output.destroy();
    },
  };
}
