/** How long a start may go on after a request to stop, in milliseconds: what is half done is better done. */
const PATIENCE_MS = 5_000;
/** How long it then has to let go of what it opens even now, in milliseconds. */
const RELEASE_MS = 2_000;

/**
 * Waits for a start, but not long any more once there is a request to stop. Where it is given up, or fails after
 * that, what was opened is let go, and the answer is undefined.
 */
export async function unlessAbandoned<T>(
  starting: Promise<T>,
  requested: Promise<unknown>,
  resources: AsyncDisposableStack,
): Promise<T | undefined> {
  let isRequested = false;
  const abandoned = requested.then(() => {
    isRequested = true;
    return delay(PATIENCE_MS);
  });
  try {
    const started = await Promise.race([starting, abandoned]);
    if (started !== undefined) return started;
  } catch (error) {
    if (!isRequested) throw error;
  }
  // From here on it is an orderly end, even if something hangs until the limit.
  process.exitCode = 0;
  await resources.disposeAsync();
  await Promise.race([starting.catch(() => undefined), delay(RELEASE_MS)]);
  return undefined;
}

function delay(milliseconds: number): Promise<undefined> {
  return new Promise((resolve) => setTimeout(() => resolve(undefined), milliseconds));
}
