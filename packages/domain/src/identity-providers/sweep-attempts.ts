import type { Ports } from '../ports.ts';
import { addMilliseconds } from '../time/instant.ts';
import { ATTEMPT_MS } from './attempt.ts';

/** Attempts per batch. A batch takes only milliseconds. */
const BATCH = 1000;

/** Deletes one batch of the attempts that can no longer be completed. Call it again while it returns `more: true`. */
export function sweepAttempts({ attempts, clock }: Ports<'attempts' | 'clock'>) {
  return async (): Promise<{ readonly swept: number; readonly more: boolean }> => {
    const createdBefore = addMilliseconds(clock.now(), -ATTEMPT_MS);
    const swept = await attempts.sweep({ createdBefore, limit: BATCH });
    return { swept, more: swept === BATCH };
  };
}
