import { setTimeout as delay } from 'node:timers/promises';

/** Repeats the work until it is stopped, with a pause in milliseconds after each time. */
export function repeat(pauseMs: number, work: () => Promise<unknown>) {
  let over = false;
  const repeating = (async () => {
    for (; !over; await delay(pauseMs)) await work();
  })();
  // A failure is reported when it is stopped.
  repeating.catch(() => undefined);
  return {
    /** Resolves after the last repetition; rejects if the work has failed. */
    stop(): Promise<void> {
      over = true;
      return repeating;
    },
  };
}
