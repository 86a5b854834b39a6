export type { Brand } from './brand.ts';
export type { DomainError, DomainErrorCode } from './errors.ts';
export { createFairQueue } from './fair-queue.ts';
export { parsePositiveInteger } from './identifiers.ts';
export { type InvalidInput, invalidInput } from './invalid-input.ts';
export type { Pages } from './paging.ts';
export { err, ok, type Result } from './result.ts';
export { UnavailableFault } from './unavailable-fault.ts';
export { escapeUnseen, showUnseen } from './unseen.ts';
