export { createMonotonicClock } from './monotonic-clock.ts';
export { createSystemClock } from './system-clock.ts';
export { createUuidTokenIdGenerator } from './uuid-token-id-generator.ts';
