export { createBackoff } from './backoff.ts';
export type { Clock, MonotonicClock } from './clock.ts';
export { parseDuration } from './duration.ts';
// It holds instants only.
export * from './instant.ts';
