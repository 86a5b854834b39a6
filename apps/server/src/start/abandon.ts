import { setTimeout as delay } from 'node:timers/promises';

/** Longest a start may continue after a stop request, in milliseconds. */
const START_LIMIT_MS = 5_000;
/** Longest wait for an abandoned start to close what it opens, in milliseconds. */
const RELEASE_MS = 2_000;

/**
 * Waits for a start, and for a limited time once there is a stop request. If the start is abandoned, or fails after
 * the request, closes what was opened and returns undefined.
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
  // From here on the shutdown counts as graceful, even if something hangs until the limit.
  process.exitCode = 0;
  await resources.disposeAsync();
  await Promise.race([starting.catch(() => undefined), delay(RELEASE_MS)]);
  return undefined;
}
