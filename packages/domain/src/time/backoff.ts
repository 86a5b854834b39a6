interface BackoffOptions {
  /** The limit of the first delay, in milliseconds. The limit doubles for each further delay. */
  readonly firstMs: number;
  /** Limit of all delays, in milliseconds. */
  readonly longestMs: number;
  /** Returns a number like `Math.random`, so that processes that failed together do not retry together. */
  readonly random: () => number;
}

/** Computes the delays between retries: exponential backoff with jitter. */
export function createBackoff({ firstMs, longestMs, random }: BackoffOptions) {
  let limitMs = firstMs;
  return {
    /** Returns the next delay, in milliseconds: between half of its limit and all of it. */
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
