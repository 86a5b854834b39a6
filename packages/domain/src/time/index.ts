export { createBackoff } from './backoff.ts';
export type { Clock } from './clock.ts';
export { parseDuration } from './duration.ts';
export {
  addMilliseconds,
  formatInstant,
  formatInstantOrNull,
  type Instant,
  LAST_INSTANT,
  parseInstant,
} from './instant.ts';
export type { MonotonicClock } from './monotonic-clock.ts';
