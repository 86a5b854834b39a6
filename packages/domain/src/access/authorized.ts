import type { Awaitable } from '../awaitable.ts';
import type { Result } from '../result.ts';
import { type AccessDenied, authorize, authorizeFound, type Placed } from './authorize.ts';
import type { Operator, Principal, RefusedCaller } from './caller.ts';
import type { Rule } from './rules.ts';

type Denied = Extract<Result<never, AccessDenied>, { ok: false }>;

/** What a use case returns that may be denied: later, unless it is one that may answer at once. */
type OrDenied<Returned> = [Returned] extends [Promise<unknown>]
  ? Promise<Awaited<Returned> | Denied>
  : Awaitable<Awaited<Returned> | Denied>;

/**
 * Makes a use case that acts for a caller and asks the rule before anything else. `act` gets the caller that may act,
 * and asks `authorize` again about a resource once it is known. Where the rule depends on the input, it is a function
 * of it. A test finds exported use cases that are made without this function.
 */
export function authorized<
  Ports,
  Input extends readonly unknown[],
  Returned,
  Caller extends Principal | Operator = Principal | Operator,
>(
  rule: Rule | ((...input: Input) => Rule),
  act: (ports: Ports) => (caller: Caller, ...input: Input) => Returned,
) {
  const useCase = (ports: Ports) => {
    const run = act(ports);
    const asked = (caller: Caller | RefusedCaller, ...input: Input): OrDenied<Returned> => {
      const allowed = authorize(caller, typeof rule === 'function' ? rule(...input) : rule);
      const returned = allowed.ok ? run(allowed.value as Caller, ...input) : Promise.resolve(allowed);
      return returned as OrDenied<Returned>;
    };
    // For the tests of extensions, which see made use cases only; others may replace it by any function.
    return Object.assign(asked, { rule }) as typeof asked;
  };
  return Object.assign(useCase, { rule });
}

/**
 * Makes a use case that reads one thing for a user. Its rule is asked once: what it can decide before the thing is read it
 * decides then, and the rest after.
 */
export function authorizedRead<Ports, Input extends readonly unknown[], Thing>(
  rule: Rule,
  find: (ports: Ports) => (reader: Principal, ...input: Input) => Awaitable<Placed<Thing> | undefined>,
) {
  const useCase = (ports: Ports) => {
    const run = find(ports);
    const asked = (caller: Principal | RefusedCaller, ...input: Input) =>
      authorizeFound(caller, rule, (reader) => run(reader, ...input));
    return Object.assign(asked, { rule }) as typeof asked;
  };
  return Object.assign(useCase, { rule });
}
