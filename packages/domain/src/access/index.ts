export {
  type AccessDenied,
  authorize,
  authorizeFound,
  type NotAllowed,
  type Placed,
} from './authorize.ts';
export { authorized, authorizedRead } from './authorized.ts';
export type { Caller, Operator, Principal, RefusedCaller } from './caller.ts';
export { actorOf, IN_PERSON } from './caller.ts';
// Use cases of all folders ask the rules.
export * from './rules.ts';
export type { NarrowScope, Scope } from './scope.ts';
