export { createMonotonicClock } from './monotonic-clock.ts';
export { createSystemClock } from './system-clock.ts';
export { createUseCases, type UseCasePorts, type UseCases } from './use-cases.ts';
export { createUuidTokenIdGenerator } from './uuid-token-id-generator.ts';
