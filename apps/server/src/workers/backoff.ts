import { createBackoff } from '@gatehouse/domain/time';

/** A worker that ran this long was healthy, in milliseconds; its exit resets the backoff. */
const HEALTHY_AFTER_MS = 10_000;

/**
 * Returns how long to wait before replacing a worker that ran for this time, in milliseconds: 0, unless the previous
 * one was replaced a moment ago.
 */
export function createReplacementBackoff(random: () => number = Math.random): (livedMs: number) => number {
  const backoff = createBackoff({ firstMs: 100, longestMs: 10_000, random });
  let isFirst = true;
  return (livedMs) => {
    if (livedMs >= HEALTHY_AFTER_MS) {
      isFirst = true;
      backoff.reset();
    }
    if (!isFirst) return Math.round(backoff.next());
    isFirst = false;
    return 0;
  };
}
