const POLL_MS = 200;

/** Who started us, noted before anything else is done: it may be gone by the time when somebody asks. */
const STARTER = process.ppid;

/**
 * Calls `onEnd` once npm, which runs us as a script, is gone: killed, it cannot tell us. Our scripts in
 * `package.json` start with `exec`, so that no shell stands between. Where npm did not start us, the end of
 * whoever did means nothing.
 * @param {() => void} onEnd
 * @returns {{ stop: () => void }}
 */
export function npmEnds(onEnd) {
  if (process.env.npm_lifecycle_event === undefined) return { stop: () => undefined };
  const timer = setInterval(() => {
    if (process.ppid === STARTER) return;
    clearInterval(timer);
    onEnd();
  }, POLL_MS);
  return { stop: () => clearInterval(timer) };
}
