export { type DomainError, type DomainErrorCode, ERROR_CODES } from './errors.ts';
export { createFairQueue, type FairQueue } from './fair-queue.ts';
export { type Brand, parsePositiveInteger } from './identifiers.ts';
export { escapeInvisible, replaceInvisible } from './invisible-characters.ts';
export { inPages, type PageById, type Pages } from './paging.ts';
export type { Repositories } from './ports.ts';
export { type ChangeOutcome, err, type InvalidInput, invalid, ok, type Result } from './result.ts';
export { checkName, checkText, isStorable } from './text.ts';
export { UnavailableFault } from './unavailable-fault.ts';
