export { type AccessDenied, authorize } from './authorize.ts';
export { type AuthorizedUseCase, authorized } from './authorized.ts';
export { type Caller, IN_PERSON, type Operator, type Principal, type RefusedCaller } from './caller.ts';
export { defineRule, READ_ME, READ_ORGANIZATION, RULES, type Rule } from './rules.ts';
export { type NarrowScope, parseScopes, SCOPES, type Scope } from './scope.ts';
