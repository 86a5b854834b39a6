import { setTimeout as delay } from 'node:timers/promises';

/** Work that is repeated until it is stopped. */
export interface Repetition {
  /** Resolves after the last repetition; rejects if the work has failed. */
  stop(): Promise<void>;
}

/** Repeats the work, with a pause in milliseconds after each time. */
export function repeat(pauseMs: number, work: () => Promise<unknown>): Repetition {
  let over = false;
  const repeating = (async () => {
    for (; !over; await delay(pauseMs)) await work();
  })();
  // A failure is reported when it is stopped.
  repeating.catch(() => undefined);
  return {
    stop() {
      over = true;
      return repeating;
    },
  };
}
