import { setTimeout as delay } from 'node:timers/promises';
import { destination } from 'pino';
import type { LineSource, LogOutput } from './log-output.ts';

/**
 * The maximum size of one write, in bytes: more than the requests of one turn of the event loop log, because the next
 * write begins in a later turn.
 */
const MAX_WRITE = 1024 * 1024;

/** Writes to a file, or to a terminal, from a thread: a disk can be slow. */
export function openFileOutput(fd: number, source: LineSource): LogOutput {
  // It has one piece at a time, so that urgent lines wait for no more than that. Without `minLength` it could not be
  // flushed.
  const output = destination({ dest: fd, sync: false, minLength: 1, maxWrite: MAX_WRITE });
  let state: 'idle' | 'writing' | 'failed' = 'idle';

  function wake(): void {
    if (state === 'failed') {
      // Writes again what failed.
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
      // The output is destroyed, because the exit would otherwise wait for the remaining lines.
      output.destroy();
    },
  };
}
