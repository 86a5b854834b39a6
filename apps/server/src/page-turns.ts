import { ok, UnavailableFault } from '@gatehouse/domain';
import type { Caller } from '@gatehouse/domain/access';
import type { UserId } from '@gatehouse/domain/users';
import { createFairQueue } from '@gatehouse/queues';
import type { PageUseCases } from './pages/page-use-cases.ts';

/** Pages do at most this part of what the connections of a process can do at once, and leave the rest to the API and sign-ins. */
const PART_OF_CONNECTIONS = 1 / 3;
/** The maximum number of waiting calls, and of those of one user: no person clicks that fast. */
const [MAX_QUEUED, MAX_QUEUED_PER_USER] = [1_024, 64];

/**
 * Lets users take turns at what pages ask of the database once the session is known: one user, in however many
 * windows, crowds out neither the pages of others nor the API. What hashes a password waits for its turn at that.
 *
 * @param connections of the process
 */
export function inPageTurns(useCases: PageUseCases, connections: number): PageUseCases {
  const concurrency = Math.max(1, Math.floor(connections * PART_OF_CONNECTIONS));
  const queue = createFairQueue<UserId | undefined>({
    concurrency,
    // With slow lists, one user would otherwise hold every place until one of them is answered.
    concurrencyPerKey: Math.max(1, concurrency - 1),
    queued: MAX_QUEUED,
    queuedPerKey: MAX_QUEUED_PER_USER,
  });

  async function take<T>(caller: Caller, work: () => Promise<T>): Promise<T> {
    const done = await queue.run(caller.kind === 'user' ? caller.userId : undefined, work);
    if (done.ok) return done.value;
    throw new UnavailableFault('too many pages of one user wait');
  }

  const inTurn =
    <C extends Caller, Rest extends readonly unknown[], T>(
      useCase: (caller: C, ...rest: Rest) => Promise<T>,
    ) =>
    (caller: C, ...rest: Rest): Promise<T> =>
      take(caller, () => useCase(caller, ...rest));

  /** Each page of a list is another read. */
  async function* pagesInTurn<Page>(caller: Caller, pages: AsyncGenerator<Page>): AsyncGenerator<Page> {
    for (;;) {
      const page = await take(caller, () => pages.next());
      if (page.done) return;
      yield page.value;
    }
  }

  return {
    ...useCases,
    listAccountTokens: inTurn(useCases.listAccountTokens),
    findTokensNeedingAttention: inTurn(useCases.findTokensNeedingAttention),
    listAdmins: inTurn(useCases.listAdmins),
    showTokenUse: inTurn(useCases.showTokenUse),
    showTokenPage: inTurn(useCases.showTokenPage),
    watchTokenUse: inTurn(useCases.watchTokenUse),
    issueToken: inTurn(useCases.issueToken),
    rotateToken: inTurn(useCases.rotateToken),
    revokeToken: inTurn(useCases.revokeToken),
    updateToken: inTurn(useCases.updateToken),
    async listAccountAuditEvents(caller, input) {
      const listed = await take(caller, () => useCases.listAccountAuditEvents(caller, input));
      return listed.ok ? ok(pagesInTurn(caller, listed.value)) : listed;
    },
    endSession: inTurn(useCases.endSession),
    listOwnSessions: inTurn(useCases.listOwnSessions),
    endOwnSession: inTurn(useCases.endOwnSession),
    endOtherSessions: inTurn(useCases.endOtherSessions),
  };
}
