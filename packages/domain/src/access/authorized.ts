import type { Awaitable } from '../awaitable.ts';
import type { Result } from '../result.ts';
import { type AccessDenied, authorize, authorizeFound, type Placed } from './authorize.ts';
import type { Operator, Principal, RefusedCaller } from './caller.ts';
import type { Rule } from './rules.ts';

type Denied = Extract<Result<never, AccessDenied>, { ok: false }>;

/** The result of a use case that may be denied: a promise, unless the use case may answer at once. */
type OrDenied<Returned> = [Returned] extends [Promise<unknown>]
  ? Promise<Awaited<Returned> | Denied>
  : Awaitable<Awaited<Returned> | Denied>;

/**
 * Makes a use case that acts for a caller and asks the rule before anything else. `act` gets the allowed caller, and asks
 * `authorize` again about a resource that it has read. A rule that depends on the input is a function of it. A test finds
 * exported use cases that are made without this function.
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
    // For the tests of extensions, which see only made use cases. The type hides it, so any function can replace one.
    return Object.assign(asked, { rule }) as typeof asked;
  };
  return Object.assign(useCase, { rule });
}

/**
 * Makes a use case that reads one thing for a user. Its rule decides once: as far as possible before the read, and the
 * rest after it.
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
