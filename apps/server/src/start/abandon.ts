import { setTimeout as delay } from 'node:timers/promises';

/** Longest a start may continue after a stop request, in milliseconds. */
const START_LIMIT_MS = 5_000;
/** Longest wait for an abandoned start to close what it opens, in milliseconds. */
const RELEASE_MS = 2_000;

/**
 * Waits for a start. After a stop request it waits for `START_LIMIT_MS` more. If the start takes longer, or fails after the
 * request, everything that was opened is closed and the result is undefined.
 */
export async function unlessAbandoned<T>(
  starting: Promise<T>,
  requested: Promise<unknown>,
  resources: AsyncDisposableStack,
): Promise<T | undefined> {
  let isRequested = false;
  const abandoned = requested.then(() => {
    isRequested = true;
    return delay(START_LIMIT_MS, undefined);
  });
  try {
    const started = await Promise.race([starting, abandoned]);
    if (started !== undefined) return started;
  } catch (error) {
    if (!isRequested) throw error;
  }
  // The exit status is 0 from here on, even if closing hangs and the process is ended by the time limit.
  process.exitCode = 0;
  await resources.disposeAsync();
  await Promise.race([starting.catch(() => undefined), delay(RELEASE_MS)]);
  return undefined;
}
