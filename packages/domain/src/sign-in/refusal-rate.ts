import type { MonotonicClock } from '../time/clock.ts';

/**
 * Rate of the refusals that networks cause themselves, for all networks together; further ones are delayed. A client that
 * retries after every response costs little each time, but a thousand of them would keep the event loop busy.
 */
export const DEFAULT_REFUSAL_RATE = { perSecond: 200, maxDelayMs: 5_000 };

/** Returns how long to delay the next refusal, in milliseconds: 0 unless they come faster than the rate. */
export function createRefusalRateLimit(
  { perSecond, maxDelayMs }: typeof DEFAULT_REFUSAL_RATE,
  clock: MonotonicClock,
): () => number {
  const intervalMs = 1000 / perSecond;
  /** When the next refusal may be sent. */
  let nextAt = Number.NEGATIVE_INFINITY;
  return () => {
    const now = clock.elapsedMs();
    const answerAt = Math.min(Math.max(now, nextAt), now + maxDelayMs);
    nextAt = answerAt + intervalMs;
    return answerAt - now;
  };
}
