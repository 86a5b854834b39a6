export { type AccessDenied, authorize, type NotAllowed } from './authorize.ts';
export { authorized } from './authorized.ts';
export type { Caller, Operator, Principal, RefusedCaller } from './caller.ts';
export { actorOf, IN_PERSON } from './caller.ts';
// Use cases of all folders ask the rules.
export * from './rules.ts';
export type { NarrowScope, Scope } from './scope.ts';
