import type { Caller } from '@gatehouse/domain/access';
import type { HashingBusy, UserId } from '@gatehouse/domain/users';
import type { PageUseCases, Refused } from './page-use-cases.ts';

type UseCase = (...input: never[]) => unknown;

/**
 * Runs work. Its SQL statements wait for a database connection in the queue for web pages, in which users take turns.
 */
export type OnPageOf = <T>(user: UserId, work: () => T) => T;

/** The names of the use cases that can be refused because too many passwords are waiting to be hashed. */
type Hashing = {
  [Name in keyof PageUseCases]: HashingBusy extends Refused<Name> ? Name : never;
}[keyof PageUseCases];

/**
 * The use cases that hash a password. Their statements do not wait in the queue for web pages: while a password waits
 * to be hashed, they would block the other pages of the same user.
 */
const HASHING: Readonly<Record<Hashing, true>> = {
  openSession: true,
  findInvitation: true,
  acceptInvitation: true,
  findResetLink: true,
  resetPassword: true,
  requestPasswordReset: true,
  confirmPassword: true,
  changeOwnPassword: true,
  beginProviderSignIn: true,
  completeProviderSignIn: true,
  removeOwnSecondFactor: true,
};

/**
 * Makes the SQL statements of each use case wait for a database connection in the queue for web pages. Users take turns
 * in this queue, so a user who opens many windows delays neither the pages of other users nor the API.
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

  /**
   * A list is read in batches, whenever the caller asks for the next batch. The statements of each batch wait in the
   * queue for web pages, too.
   */
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
