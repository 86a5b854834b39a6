import { setTimeout as delay } from 'node:timers/promises';
import { destination } from 'pino';
import type { LineSource, LogOutput } from './log-output.ts';

/**
 * The maximum size of one write, in bytes. One write starts in each turn of the event loop. All lines that the requests
 * of one turn can log are smaller than this; otherwise lines could be added faster than they are written.
 */
const MAX_WRITE = 1024 * 1024;

/** Creates an output to a file or a terminal. A thread writes, so that a slow disk does not block the event loop. */
export function openFileOutput(fd: number, source: LineSource): LogOutput {
  // The next piece is passed on only when the previous piece is written, so an urgent line waits for at most one piece.
  // `minLength` is set because pino's destination cannot be flushed without it.
  const output = destination({ dest: fd, sync: false, minLength: 1, maxWrite: MAX_WRITE });
  let state: 'idle' | 'writing' | 'failed' = 'idle';

  function wake(): void {
    if (state === 'failed') {
      // The last write failed: tries to write the same piece again.
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
      // Destroys the output. Otherwise the process could not exit before the remaining lines are written.
      output.destroy();
    },
  };
}
