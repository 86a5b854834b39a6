export interface StopRequests {
  /** Resolves when the process is to end, with what said so. */
  readonly requested: Promise<string>;
  /** Aborts when whoever asked does not want to wait. */
  readonly impatience: AbortSignal;
}

/** With which a process is asked to end. */
export const STOP_SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** One keystroke can arrive twice: from the terminal, and from a program in between that passes it on. */
const SAME_REQUEST_MS = 500;

/**
 * Listens for signals, and for the end of the program that started this one and holds a channel to it. The
 * same signal once more means: now.
 */
export function listenForStop(): StopRequests {
  const impatience = new AbortController();
  const { promise: requested, resolve } = Promise.withResolvers<string>();
  for (const signal of STOP_SIGNALS) {
    let first: number | undefined;
    process.on(signal, () => {
      resolve(signal);
      first ??= performance.now();
      if (performance.now() - first > SAME_REQUEST_MS) impatience.abort();
    });
  }
  process.once('disconnect', () => resolve('disconnect'));
  return { requested, impatience: impatience.signal };
}
