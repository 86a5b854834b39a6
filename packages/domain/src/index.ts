export { type Awaitable, andThen } from './awaitable.ts';
export { clientNetwork } from './client-network.ts';
export {
  type DomainError,
  type DomainErrorCode,
  ERROR_CODES,
  ERROR_KINDS,
  type ErrorKind,
} from './errors.ts';
export { type Brand, parsePositiveInteger } from './identifiers.ts';
export { escapeInvisible, replaceInvisible } from './invisible-characters.ts';
export { type OnBehalf, WITHOUT_TURNS } from './on-behalf.ts';
export { inPages, type PageById, type Pages } from './paging.ts';
export type { AllPorts, Repositories } from './ports.ts';
export { type ChangeOutcome, err, type InvalidInput, invalid, ok, type Result } from './result.ts';
export { SetupFault } from './setup-fault.ts';
export { checkName, checkText, isStorable } from './text.ts';
export { UnavailableFault } from './unavailable-fault.ts';
export { UnstorableText } from './unstorable-text.ts';
