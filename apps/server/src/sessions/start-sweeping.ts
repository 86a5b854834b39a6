import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from 'pino';

/** When the first sweep begins after the start, and each one after the last, in milliseconds. */
const START_DELAY_MS = 60_000;
const INTERVAL_MS = 3_600_000;

type Pause = (milliseconds: number, signal: AbortSignal) => Promise<unknown>;

const pauseByTimer: Pause = (milliseconds, signal) => delay(milliseconds, undefined, { signal, ref: false });

/**
 * Deletes old sessions every hour until the returned function is called, which resolves once a batch in progress is
 * done. Several servers can do so at once. What fails is logged, and tried again an hour later.
 */
export function startSweeping(
  sweep: () => Promise<{ readonly more: boolean }>,
  log: Logger,
  pause = pauseByTimer,
): () => Promise<void> {
  const stopping = new AbortController();
  const { signal } = stopping;

  async function run(): Promise<void> {
    for (let waitMs = START_DELAY_MS; !signal.aborted; waitMs = INTERVAL_MS) {
      // A pause rejects when it is interrupted.
      await pause(waitMs, signal).catch(() => undefined);
      if (signal.aborted) return;
      await sweepAll().catch((error) => log.warn({ err: error }, 'old sessions were not deleted'));
    }
  }
  async function sweepAll(): Promise<void> {
    while (!signal.aborted && (await sweep()).more);
  }

  const running = run();
  return () => {
    stopping.abort();
    return running;
  };
}
