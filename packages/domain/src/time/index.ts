export { createBackoff } from './backoff.ts';
export type { Clock, MonotonicClock } from './clock.ts';
export { parseDuration } from './duration.ts';
export {
  addMilliseconds,
  formatInstant,
  formatInstantOrNull,
  type Instant,
  LAST_INSTANT,
  parseInstant,
} from './instant.ts';
