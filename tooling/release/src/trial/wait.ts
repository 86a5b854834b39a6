import { setTimeout as pause } from 'node:timers/promises';

const PAUSE_MS = 100;

/**
 * Asks again until the answer is the expected one.
 *
 * @param seconds the limit
 * @throws Error with the last answer, if it is never the expected one
 */
export async function until<T>(
  what: string,
  expected: T,
  ask: () => Promise<T>,
  seconds = 60,
): Promise<void> {
  const end = Date.now() + seconds * 1_000;
  let last: unknown;
  while (Date.now() < end) {
    last = await ask().catch((error: unknown) => error);
    if (last === expected) return;
    await pause(PAUSE_MS);
  }
  throw new Error(`${what}: expected ${expected} within ${seconds} s, got ${last}`);
}
