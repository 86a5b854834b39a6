import type { AccountId } from '../accounts/account.ts';
import { err, ok, type Result } from '../result.ts';
import { type Caller, IN_PERSON, type RefusedCaller } from './caller.ts';
import { type NarrowScope, scopesAllow } from './scope.ts';

export interface TokenNotAccepted {
  readonly code: 'token_not_accepted';
}

export interface InsufficientScope {
  readonly code: 'insufficient_scope';
  readonly scope: NarrowScope;
}

/** The caller is known, and may not. */
export interface NotAllowed {
  readonly code: 'not_allowed';
}

/** There is no such thing, or none that this caller may know of. */
export interface NotFound {
  readonly code: 'not_found';
}

export type AccessDenied = TokenNotAccepted | InsufficientScope | NotAllowed | NotFound;

/** What belongs to one account, and who within that account may see it. */
export interface Resource {
  readonly accountId: AccountId;
  /** Asked only where members may what others may not. */
  readonly isMember?: boolean;
}

interface Rule {
  /** The scope with which a token may do it. Without one no token may, only a person. */
  readonly scope?: NarrowScope;
  /** `members`: admins, and those who are members of the resource. */
  readonly users: 'all' | 'members' | 'admins' | 'none';
  readonly operator: boolean;
}

const RULES = {
  'me:read': { scope: 'me:read', users: 'all', operator: false },
  'orgs:read': { scope: 'orgs:read', users: 'members', operator: false },
  'tokens:issue': { users: 'admins', operator: false },
  'tokens:revoke': { users: 'admins', operator: false },
  'tokens:rotate': { users: 'admins', operator: false },
  'tokens:read': { users: 'admins', operator: true },
  'tokens:prune': { users: 'none', operator: true },
  'accounts:manage': { users: 'none', operator: true },
  'users:manage': { users: 'none', operator: true },
  'orgs:manage': { users: 'none', operator: true },
  'keys:manage': { users: 'none', operator: true },
  'audit:read': { users: 'none', operator: true },
  'health:read': { users: 'none', operator: true },
} as const satisfies Record<string, Rule>;

export type Action = keyof typeof RULES;

export const ACTIONS = Object.keys(RULES) as readonly Action[];

/** The scope with which a token may do it; undefined where no token may, only a person. */
export function scopeOf(action: Action): NarrowScope | undefined {
  const rule: Rule = RULES[action];
  return rule.scope;
}

/**
 * Decides whether the caller may do this: the one place that does, for HTTP and the command line alike.
 * The order is fixed: token, scope, role, account, membership. Called without a resource it decides what
 * can be decided before anything is read. Another account's resource is as good as none.
 */
export function authorize<C extends Caller>(
  caller: C,
  action: Action,
  resource?: Resource,
): Result<Exclude<C, RefusedCaller>, AccessDenied> {
  const rule: Rule = RULES[action];
  const denied = denial(rule, caller, resource);
  return denied ? err(denied) : ok(caller as Exclude<C, RefusedCaller>);
}

function denial(rule: Rule, caller: Caller, resource: Resource | undefined): AccessDenied | undefined {
  if (caller.kind === 'refused') return { code: 'token_not_accepted' };
  if (caller.kind === 'operator') return rule.operator ? undefined : { code: 'not_allowed' };
  if (caller.scopes !== IN_PERSON) {
    if (!rule.scope) return { code: 'not_allowed' };
    if (!scopesAllow(caller.scopes, rule.scope)) return { code: 'insufficient_scope', scope: rule.scope };
  }
  if (rule.users === 'none') return { code: 'not_allowed' };
  if (rule.users === 'admins' && caller.role !== 'admin') return { code: 'not_allowed' };
  if (resource === undefined) return undefined;
  if (resource.accountId !== caller.accountId) return { code: 'not_found' };
  if (rule.users === 'members' && caller.role !== 'admin' && !resource.isMember)
    return { code: 'not_allowed' };
  return undefined;
}
