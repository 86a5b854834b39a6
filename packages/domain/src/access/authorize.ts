import type { AccountId } from '../accounts/account.ts';
import { type Awaitable, andThen } from '../awaitable.ts';
import { err, ok, type Result } from '../result.ts';
import {
  type Caller,
  IN_PERSON,
  type Operator,
  type Principal,
  type RefusedCaller,
  type ServiceCaller,
} from './caller.ts';
import type { NarrowScope, Rule, Scope } from './rules.ts';

/** The error if the caller is known, but the rule does not allow the caller to act. */
export type NotAllowed = { readonly code: 'not_allowed' };

/** The error if the token is accepted, but not from the network of the client. */
export type NetworkNotAllowed = { readonly code: 'network_not_allowed' };

export type AccessDenied =
  | { readonly code: 'token_not_accepted' }
  | NetworkNotAllowed
  | { readonly code: 'insufficient_scope'; readonly scope: NarrowScope }
  | NotAllowed
  /** The resource does not exist, or the caller may not know that it exists. */
  | { readonly code: 'not_found' };

/** A record, such as an organization, that belongs to one account. */
interface Resource {
  readonly accountId: AccountId;
  /** Whether the caller is a member of this resource. Read only if the rule has `users: 'members'`. */
  readonly isMember?: boolean;
}

/** A value that was read, with the account and membership from which `authorize` decides who may access it. */
export interface Placed<Thing> extends Resource {
  readonly thing: Thing;
}

/**
 * Decides whether the rule allows the caller to act. HTTP and the command line both decide with this function only. The
 * order of the checks is fixed: token, scope, role, account, membership. Without a resource, only the token, the scope
 * and the role are checked. The resource of another account counts as absent.
 */
export function authorize<C extends Caller>(
  caller: C,
  rule: Rule,
  resource?: Resource,
): Result<Exclude<C, RefusedCaller>, AccessDenied> {
  const denied = denial(rule, caller) ?? (resource && denialOf(rule, caller, resource));
  return denied ? err(denied) : ok(caller as Exclude<C, RefusedCaller>);
}

/**
 * Reads a resource for a caller, and decides whether the rule allows the caller to access it. Checks in the order of
 * `authorize`: token, scope and role before the read, and then existence, account and membership.
 */
export function authorizeFound<C extends Caller, Thing>(
  caller: C,
  rule: Rule,
  find: (caller: Exclude<C, RefusedCaller>) => Awaitable<Placed<Thing> | undefined>,
): Awaitable<Result<Thing, AccessDenied>> {
  const denied = denial(rule, caller);
  if (denied) return err(denied);
  return andThen(find(caller as Exclude<C, RefusedCaller>), (found): Result<Thing, AccessDenied> => {
    if (!found) return err({ code: 'not_found' });
    const refused = denialOf(rule, caller, found);
    return refused ? err(refused) : ok(found.thing);
  });
}

/**
 * Returns the reason why the rule refuses this caller, whatever the resource is; undefined if there is no such reason.
 */
function denial(rule: Rule, caller: Caller): AccessDenied | undefined {
  if (caller.kind === 'refused')
    return { code: caller.reason === 'network_not_allowed' ? caller.reason : 'token_not_accepted' };
  if (caller.kind === 'operator') return rule.operator ? undefined : { code: 'not_allowed' };
  if (caller.kind === 'service') return rule.services ? undefined : { code: 'not_allowed' };
  if (caller.scopes !== IN_PERSON) {
    if (!rule.scope) return { code: 'not_allowed' };
    if (rule.scope !== 'asked' && !scopesAllow(caller.scopes, rule.scope))
      return { code: 'insufficient_scope', scope: rule.scope };
  }
  const isExcluded = rule.users === 'none' || (rule.users === 'admins' && caller.role !== 'admin');
  return isExcluded ? { code: 'not_allowed' } : undefined;
}

/** Whether a token with these scopes may perform an action that needs this scope. `*` includes every other scope. */
function scopesAllow(scopes: readonly Scope[], needed: NarrowScope): boolean {
  return scopes.includes('*') || scopes.includes(needed);
}

/** Returns the reason why this caller may not access the resource; undefined if the caller may access it. */
function denialOf(rule: Rule, caller: Caller, resource: Resource): AccessDenied | undefined {
  if (caller.kind !== 'user') return undefined;
  if (resource.accountId !== caller.accountId) return { code: 'not_found' };
  if (rule.users === 'members' && caller.role !== 'admin' && !resource.isMember)
    return { code: 'not_allowed' };
  return undefined;
}

type Denied = Extract<Result<never, AccessDenied>, { ok: false }>;

/**
 * The return type of a use case that can also return a denial. If the use case always returns a promise, this type is a
 * promise, too. Otherwise it is a promise or the value itself.
 */
type OrDenied<Returned> = [Returned] extends [Promise<unknown>]
  ? Promise<Awaited<Returned> | Denied>
  : Awaitable<Awaited<Returned> | Denied>;

/**
 * Makes a use case that acts for a caller. The use case checks its rule before it calls `act`, and does not call `act`
 * if the rule refuses the caller. If `act` reads a resource, it must call `authorize` again with that resource. If the
 * rule depends on the input, `rule` is a function of the input. A test fails if an exported use case was made without
 * this function.
 */
export function authorized<
  Ports,
  Input extends readonly unknown[],
  Returned,
  Caller extends Principal | Operator | ServiceCaller = Principal | Operator,
>(
  rule: Rule | ((...input: Input) => Rule),
  act: (ports: Ports) => (caller: Caller, ...input: Input) => Returned,
) {
  return withRule(rule, (ports: Ports) => {
    const run = act(ports);
    return (caller: Caller | RefusedCaller, ...input: Input): OrDenied<Returned> => {
      const allowed = authorize(caller, typeof rule === 'function' ? rule(...input) : rule);
      const returned = allowed.ok ? run(allowed.value as Caller, ...input) : Promise.resolve(allowed);
      return returned as OrDenied<Returned>;
    };
  });
}

/**
 * Stores the rule as a property of a use case and of the function that the use case returns. The test of use cases and
 * the tests of extensions read this property.
 */
export function withRule<Ports, Asked extends object, R>(rule: R, useCase: (ports: Ports) => Asked) {
  // The type of the returned function does not include the rule, so a test can replace the function by one without a
  // rule.
  return Object.assign((ports: Ports): Asked => Object.assign(useCase(ports), { rule }), { rule });
}
