/** Who served so long was well: its end says nothing about the next one's. */
const WELL_AFTER_MS = 10_000;
const FIRST_PAUSE_MS = 100;
const LONGEST_PAUSE_MS = 10_000;

/**
 * How long to wait before another worker takes the place of one that lived so long, in milliseconds: not at
 * all, unless its end came soon after its beginning; then longer from time to time.
 */
export function createBackoff(): (livedMs: number) => number {
  let pauseMs = 0;
  return (livedMs) => {
    if (livedMs >= WELL_AFTER_MS) pauseMs = 0;
    const now = pauseMs;
    pauseMs = Math.min(Math.max(2 * pauseMs, FIRST_PAUSE_MS), LONGEST_PAUSE_MS);
    return now;
  };
}
