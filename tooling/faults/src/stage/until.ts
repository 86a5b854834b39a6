import { setTimeout as delay } from 'node:timers/promises';

/** Whoever waits longer, in milliseconds, fails, and what it opened is closed. */
const PATIENCE_MS = 60_000;

/** Looks again and again until it holds. Resolves with how long that took, in milliseconds. */
export async function until(what: string, holds: () => boolean | Promise<boolean>): Promise<number> {
  const since = performance.now();
  while (!(await holds())) {
    if (performance.now() - since > PATIENCE_MS) throw new Error(`${what}: not within ${PATIENCE_MS} ms`);
    await delay(10);
  }
  return performance.now() - since;
}
