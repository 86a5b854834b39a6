export interface BackoffOptions {
  /** The first wait at most, in milliseconds; each later one is at most twice as long. */
  readonly firstMs: number;
  /** The longest wait, in milliseconds. */
  readonly longestMs: number;
  /** At least 0 and less than 1, as `Math.random`: processes that failed together do not try again together. */
  readonly random: () => number;
}

/** How long to wait before each new attempt of something that fails. */
export interface Backoff {
  /** The next wait, in milliseconds: between half of its limit and all of it. */
  next(): number;
  /** Begins with the first wait again. */
  reset(): void;
}

/** Exponential backoff with jitter. */
export function createBackoff({ firstMs, longestMs, random }: BackoffOptions): Backoff {
  let limitMs = firstMs;
  return {
    next() {
      const waitMs = limitMs * (1 - random() / 2);
      limitMs = Math.min(2 * limitMs, longestMs);
      return waitMs;
    },
    reset() {
      limitMs = firstMs;
    },
  };
}
