export { createBackoff } from './backoff.ts';
export type { Clock, MonotonicClock } from './clock.ts';
export { type ClockComparison, compareClocks, isSkewed } from './clock-comparison.ts';
export { longestDuration, parseDuration } from './duration.ts';
export type { Instant } from './instant.ts';
export {
  addMilliseconds,
  formatInstant,
  formatInstantOrNull,
  LAST_INSTANT,
  parseInstant,
} from './instant.ts';
