import type { Caller } from '@gatehouse/domain/access';
import type { HashingBusy, UserId } from '@gatehouse/domain/users';
import type { PageUseCases, Refused } from './page-use-cases.ts';

type UseCase = (...input: never[]) => unknown;

/** Runs work whose statements wait in the lane of pages. The statements of each user come in turn. */
export type OnPageOf = <T>(user: UserId, work: () => T) => T;

/** The use cases that can be refused because hashing is busy. */
type Hashing = {
  [Name in keyof PageUseCases]: HashingBusy extends Refused<Name> ? Name : never;
}[keyof PageUseCases];

/**
 * Use cases that hash a password, which the lane leaves out: they wait for their turn at hashing, and would meanwhile keep the user's
 * place in the lane.
 */
const HASHING: Readonly<Record<Hashing, true>> = {
  openSession: true,
  confirmPassword: true,
  changeOwnPassword: true,
};

/**
 * Makes the statements of each use case wait in the database's lane of pages, in turns of the user who calls it. A user who opens many
 * windows then delays neither the pages of other users nor the API.
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

  /** A list is read in pages, each only when the caller asks for it: each of these reads waits in the lane, too. */
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
