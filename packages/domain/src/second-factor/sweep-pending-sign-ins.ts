import type { Ports } from '../ports.ts';
import { addMilliseconds } from '../time/instant.ts';
import { PENDING_SIGN_IN_MS } from './second-factor.ts';

/** Rows per batch. */
const BATCH = 1000;

/** The clocks of two machines are assumed to differ by less than this: an hour, in milliseconds. */
const SWEPT_AFTER_MS = 3_600_000;

/** Deletes one batch of sign-ins that waited for a code for too long. Call it again while it returns `more: true`. */
export function sweepPendingSignIns({ secondFactors, clock }: Ports<'secondFactors' | 'clock'>) {
  return async (): Promise<{ readonly more: boolean }> => {
    const createdBefore = addMilliseconds(clock.now(), -PENDING_SIGN_IN_MS - SWEPT_AFTER_MS);
    const swept = await secondFactors.sweepPending({ createdBefore, limit: BATCH });
    return { more: swept === BATCH };
  };
}
