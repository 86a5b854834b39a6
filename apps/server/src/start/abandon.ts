import { setTimeout as delay } from 'node:timers/promises';

/** How long a start may continue after a stop request, in milliseconds. */
const START_LIMIT_MS = 5_000;
/** How long to wait for an abandoned start to close what it opened, in milliseconds. */
const RELEASE_MS = 2_000;

/**
 * Waits until the server has started. After a stop request, waits for `START_LIMIT_MS` more. If the start takes longer,
 * or fails after the stop request, closes everything that was opened and returns undefined.
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
  // From now on the exit status is 0, even if something cannot be closed and the time limit ends the process.
  process.exitCode = 0;
  await resources.disposeAsync();
  await Promise.race([starting.catch(() => undefined), delay(RELEASE_MS)]);
  return undefined;
}
