import type { Caller } from '@gatehouse/domain/access';
import type { HashingBusy, UserId } from '@gatehouse/domain/users';
import type { PageUseCases } from './page-use-cases.ts';

type UseCase = (...input: never[]) => unknown;

/** Runs work whose statements wait in the lane of pages, in this user's turns. */
export type OnPageOf = <T>(user: UserId, work: () => T) => T;

/** Why a use case is refused. */
type RefusalOf<Case extends UseCase> =
  Awaited<ReturnType<Case>> extends infer Outcome
    ? Outcome extends { readonly ok: false; readonly error: infer Refusal }
      ? Refusal
      : never
    : never;

/** The use cases that can be refused because hashing is busy. */
type Hashing<Cases> = {
  [Name in keyof Cases]: Cases[Name] extends UseCase
    ? HashingBusy extends RefusalOf<Cases[Name]>
      ? Name
      : never
    : never;
}[keyof Cases];

/** These wait in the queue of hashing, where they must not hold a place while they wait for a connection. */
const HASHING: Readonly<Record<Hashing<PageUseCases>, true>> = {
  openSession: true,
  confirmPassword: true,
  changeOwnPassword: true,
};

/**
 * Makes the statements of each use case with a caller wait in the lane of pages of the database, keyed by the user. One user, in
 * however many windows, then crowds out neither the pages of others nor the API.
 */
export function inPageLane<Cases extends Readonly<Record<keyof Cases, UseCase>>>(
  useCases: Cases,
  onPageOf: OnPageOf,
): Cases {
  function ofCaller(caller: Caller | undefined, work: () => unknown): unknown {
    if (caller?.kind !== 'user') return work();
    const { userId } = caller;
    const done = onPageOf(userId, work);
    return done instanceof Promise ? done.then((outcome) => listedInLane(outcome, userId)) : done;
  }

  /** The pages of a list are read one by one, each when a page asks for it. */
  function listedInLane(outcome: unknown, user: UserId): unknown {
    return isListed(outcome) ? { ok: true, value: pagesInLane(outcome.value, user) } : outcome;
  }

  async function* pagesInLane(pages: AsyncGenerator, user: UserId): AsyncGenerator {
    for (;;) {
      const page = await onPageOf(user, () => pages.next());
      if (page.done) return;
      yield page.value;
    }
  }

  const inLane = Object.entries<UseCase>(useCases).map(([name, useCase]) => [
    name,
    name in HASHING ? useCase : (...input: never[]) => ofCaller(input[0], () => useCase(...input)),
  ]);
  return Object.fromEntries(inLane) as Cases;
}

function isListed(outcome: unknown): outcome is { readonly value: AsyncGenerator } {
  const { value } = (outcome ?? {}) as { readonly value?: unknown };
  return typeof value === 'object' && value !== null && Symbol.asyncIterator in value;
}
