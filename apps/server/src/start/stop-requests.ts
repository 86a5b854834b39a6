export type StopRequests = ReturnType<typeof listenForStop>;

/** Signals that request the process to stop. */
export const STOP_SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/**
 * Equal signals within this time count as one signal, in milliseconds. After Ctrl-C, the terminal and a parent process
 * can both send the same signal to this process.
 */
const SAME_REQUEST_MS = 500;

/**
 * Listens for signals, and for the exit of a parent process with an IPC channel. If the same signal is sent a second
 * time, the process stops immediately.
 */
export function listenForStop() {
  const stopNow = new AbortController();
  const { promise: requested, resolve } = Promise.withResolvers<string>();
  for (const signal of STOP_SIGNALS) {
    let first: number | undefined;
    process.on(signal, () => {
      resolve(signal);
      first ??= performance.now();
      if (performance.now() - first > SAME_REQUEST_MS) stopNow.abort();
    });
  }
  process.once('disconnect', () => resolve('disconnect'));
  return {
    /** Resolves with the signal or event that requests the process to stop. */
    requested,
    /** Aborted by a second signal, which requests the process to stop immediately. */
    stopNow: stopNow.signal,
  };
}
