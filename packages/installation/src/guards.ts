import { setTimeout as delay } from 'node:timers/promises';
import { err, ok } from '@gatehouse/domain';
import type { GuardedAction, GuardedRequests, GuardFacts, Guards } from '@gatehouse/domain/guards';
import type { Extension, Refusal } from '@gatehouse/extension-kit';

/** How long a guard may take, in milliseconds. A person waits for it. */
const GUARD_WITHIN_MS = 100;

interface GuardsOptions {
  /** Called if a guard throws, takes too long, or forbids by a refusal that it does not name. */
  readonly report: (extension: string, action: GuardedAction, error: unknown) => void;
  /** Rejects when the time of a guard is over. Default: after 100 ms. Abort `settled` to end the wait. */
  readonly deadline?: (settled: AbortSignal) => Promise<never>;
}

type Guarding = Pick<Extension, 'name' | 'guards'>;

/** Asks the guards of these extensions, one after the other, until one forbids. */
export function createGuards(
  extensions: readonly Guarding[],
  { report, deadline = afterLimit }: GuardsOptions,
): Guards {
  return {
    async check(action, request, facts) {
      // A guard that could change the request would change what is stored, after the checks of Gatehouse.
      const given = frozenCopy(request);
      const givenFacts = frozenCopy(facts);
      for (const extension of extensions) {
        try {
          const refusal = await refusalOf(extension, action, given, givenFacts, deadline);
          if (refusal !== undefined) {
            const { code, title } = refusal;
            return err({ code: 'forbidden_by_extension', extension: extension.name, refusal: code, title });
          }
        } catch (error) {
          report(extension.name, action, error);
          return err({ code: 'extension_undecided', extension: extension.name });
        }
      }
      return ok(undefined);
    },
  };
}

async function refusalOf<Action extends GuardedAction>(
  { guards = [] }: Guarding,
  action: Action,
  request: GuardedRequests[Action],
  facts: GuardFacts,
  deadline: (settled: AbortSignal) => Promise<never>,
): Promise<Refusal | undefined> {
  for (const guard of guards) {
    if (guard.on !== action) continue;
    // The compiler does not see that the guard of this action takes the request of this action.
    const check = guard.check.bind(guard) as (of: GuardedRequests[Action], facts: GuardFacts) => unknown;
    const settled = new AbortController();
    const late = deadline(settled.signal);
    // The wait rejects when it is ended, and that is no fault.
    late.catch(() => undefined);
    try {
      const said = (await Promise.race([check(request, facts), late])) as Refusal | undefined;
      if (said === undefined) continue;
      const known = guard.refusals.find(({ code }) => code === said.code);
      if (known === undefined) throw new TypeError('a guard may forbid only by one of its `refusals`');
      return known;
    } finally {
      settled.abort();
    }
  }
  return undefined;
}

async function afterLimit(settled: AbortSignal): Promise<never> {
  await delay(GUARD_WITHIN_MS, undefined, { signal: settled });
  throw new Error(`the guard did not answer within ${GUARD_WITHIN_MS} ms`);
}

/** Copies plain data, and freezes the copy with everything in it. */
function frozenCopy<T>(data: T): T {
  return frozen(structuredClone(data));
}

function frozen<T>(data: T): T {
  if (typeof data !== 'object' || data === null) return data;
  for (const member of Object.values(data)) frozen(member);
  return Object.freeze(data);
}
