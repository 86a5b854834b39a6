import { setTimeout as delay } from 'node:timers/promises';

/** The time limit of a wait, in milliseconds. */
const PATIENCE_MS = 60_000;

/** Repeats the check until it is true. Returns the duration in milliseconds. */
export async function until(what: string, holds: () => boolean | Promise<boolean>): Promise<number> {
  const since = performance.now();
  while (!(await holds())) {
    if (performance.now() - since > PATIENCE_MS) throw new Error(`${what}: not within ${PATIENCE_MS} ms`);
    await delay(10);
  }
  return performance.now() - since;
}
