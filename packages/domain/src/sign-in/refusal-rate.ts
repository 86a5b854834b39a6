import type { MonotonicClock } from '../time/monotonic-clock.ts';

export interface RefusalRate {
  readonly perSecond: number;
  /** Longest that one is held back, in milliseconds. */
  readonly maxDelayMs: number;
}

/**
 * So many refusals that a network has caused itself, of all networks together, are answered at once in each second;
 * more are held back. A client that repeats as soon as it is answered costs next to nothing each time, but a thousand of them keep the event loop from everything else.
 */
export const DEFAULT_REFUSAL_RATE: RefusalRate = { perSecond: 200, maxDelayMs: 5_000 };

/** Answers how long to hold back the next refusal, in milliseconds: 0 unless they come faster than the pace. */
export function createRefusalRateLimit(
  { perSecond, maxDelayMs }: RefusalRate,
  clock: MonotonicClock,
): () => number {
  const intervalMs = 1000 / perSecond;
  /** When the next one may be answered. */
  let nextAt = Number.NEGATIVE_INFINITY;
  return () => {
    const now = clock.elapsedMs();
    const answerAt = Math.min(Math.max(now, nextAt), now + maxDelayMs);
    nextAt = answerAt + intervalMs;
    return answerAt - now;
  };
}
