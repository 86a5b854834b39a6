export { ACTIONS, type AccessDenied, type Action, authorize, scopeOf } from './authorize.ts';
export { type Caller, IN_PERSON, type Operator, type Principal, type RefusedCaller } from './caller.ts';
export { type NarrowScope, parseScopes, SCOPES, type Scope } from './scope.ts';
