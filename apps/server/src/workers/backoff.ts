import { createBackoff } from '@gatehouse/domain/time';

/** A worker that ran this long was healthy, in milliseconds; its exit resets the backoff. */
const HEALTHY_AFTER_MS = 10_000;

/**
 * How long to wait before a worker that lived so long is replaced, in milliseconds: not at all, unless the one before it
 * was replaced a moment ago.
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
