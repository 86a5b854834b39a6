const POLL_MS = 200;

/** The parent process. It is recorded first, because it may have exited by the time of the check. */
const STARTER = process.ppid;

/**
 * Calls `onEnd` when npm, which started this process as a script, has exited: a killed npm cannot send a signal. Our
 * scripts in `package.json` start with `exec`, so that there is no shell in between. If another program started us, its
 * exit is ignored. It keeps no process running.
 * @param {() => void} onEnd
 * @returns {{ stop: () => void }}
 */
export function npmEnds(onEnd) {
  if (process.env.npm_lifecycle_event === undefined) return { stop: () => undefined };
  const timer = setInterval(() => {
    if (process.ppid === STARTER) return;
    clearInterval(timer);
    onEnd();
  }, POLL_MS).unref();
  return { stop: () => clearInterval(timer) };
}
