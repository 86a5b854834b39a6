export { type AccessDenied, authorize, type NotAllowed } from './authorize.ts';
export { type AuthorizedUseCase, authorized } from './authorized.ts';
export {
  actorOf,
  type Caller,
  IN_PERSON,
  type Operator,
  type Principal,
  type RefusedCaller,
} from './caller.ts';
// Use cases of all folders ask the rules.
export * from './rules.ts';
export { type NarrowScope, parseScopes, SCOPES, type Scope } from './scope.ts';
