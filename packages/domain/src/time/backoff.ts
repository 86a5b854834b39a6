interface BackoffOptions {
  /** The limit of the first delay, in milliseconds. The limit doubles for each further delay, up to `longestMs`. */
  readonly firstMs: number;
  /** The longest delay of all, in milliseconds. */
  readonly longestMs: number;
  /**
   * Returns a random number like `Math.random`. Random delays keep processes that failed at the same time from retrying
   * at the same time.
   */
  readonly random: () => number;
}

/** Computes the delays between retries: exponential backoff with jitter. */
export function createBackoff({ firstMs, longestMs, random }: BackoffOptions) {
  let limitMs = firstMs;
  return {
    /** Returns the next delay, in milliseconds. The delay is between half of its limit and the whole limit. */
    next(): number {
      const waitMs = limitMs * (1 - random() / 2);
      limitMs = Math.min(2 * limitMs, longestMs);
      return waitMs;
    },
    /** Starts over with the first delay. */
    reset(): void {
      limitMs = firstMs;
    },
  };
}
