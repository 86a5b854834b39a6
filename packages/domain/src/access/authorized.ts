import type { Result } from '../result.ts';
import { type AccessDenied, authorize } from './authorize.ts';
import type { Operator, Principal, RefusedCaller } from './caller.ts';
import type { Rule } from './rules.ts';

type Denied = Extract<Result<never, AccessDenied>, { ok: false }>;

/**
 * Makes a use case that acts for a caller and asks the rule before anything else. `act` gets the caller that may act,
 * and asks `authorize` again about a resource once it is known. Where the rule depends on the input, it is a function
 * of it. A test finds exported use cases that are made without this function.
 */
export function authorized<
  Ports,
  Input extends readonly unknown[],
  Outcome,
  Caller extends Principal | Operator = Principal | Operator,
>(
  rule: Rule | ((...input: Input) => Rule),
  act: (ports: Ports) => (caller: Caller, ...input: Input) => Promise<Outcome>,
) {
  const useCase = (ports: Ports) => {
    const run = act(ports);
    const asked = (caller: Caller | RefusedCaller, ...input: Input): Promise<Outcome | Denied> => {
      const allowed = authorize(caller, typeof rule === 'function' ? rule(...input) : rule);
      return allowed.ok ? run(allowed.value as Caller, ...input) : Promise.resolve(allowed);
    };
    // For the tests of extensions, which see made use cases only; others may replace it by any function.
    return Object.assign(asked, { rule }) as typeof asked;
  };
  return Object.assign(useCase, { rule });
}
