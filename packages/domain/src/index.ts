export type { DomainError, DomainErrorCode } from './errors.ts';
export { createFairQueue, type FairQueue } from './fair-queue.ts';
export { type Brand, parsePositiveInteger } from './identifiers.ts';
export { escapeInvisible, replaceInvisible } from './invisible-characters.ts';
export type { Pages } from './paging.ts';
export type { Repositories } from './ports.ts';
export { err, type InvalidInput, ok, type Result } from './result.ts';
export { checkName, isStorable } from './text.ts';
export { UnavailableFault } from './unavailable-fault.ts';
