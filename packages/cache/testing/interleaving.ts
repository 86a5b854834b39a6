import { UnavailableFault } from '@gatehouse/domain';
import type { Change, ChangeFeed, FreshnessCheck } from '@gatehouse/domain/changes';
import type { OrganizationRepository } from '@gatehouse/domain/organizations';
import type { ServiceRepository } from '@gatehouse/domain/services';
import type { SigningKeyRepository } from '@gatehouse/domain/signing-keys';
import type { TokenRepository } from '@gatehouse/domain/tokens';
import fc from 'fast-check';
import type { Answer, Question } from './model-store.ts';
import { CHANGES, createModelStore, factOf, isForeign, QUESTIONS, UNBORN } from './model-store.ts';
import { createFeedParts, MAX_STALENESS_MS } from './parts.ts';
import { createSlowReads, ReadFailed } from './slow-reads.ts';

export type Reads = Pick<TokenRepository, 'findRecord'> &
  Pick<OrganizationRepository, 'findForUser'> &
  Pick<SigningKeyRepository, 'list'> & { readonly listServices: ServiceRepository['list'] };

/** Puts intact or broken caches over the reads. */
export type Cached = (
  reads: Reads,
  ports: { readonly feed: ChangeFeed; readonly isFresh: FreshnessCheck },
) => Reads;

const action = (kind: string, least: number, most: number) =>
  fc.tuple(fc.constant(kind), fc.integer({ min: least, max: most }));

const many = (weight: number, arbitrary: ReturnType<typeof action>) => ({ weight, arbitrary });

/** The possible events, in any order. */
export const anyActions = fc.array(
  fc.oneof(
    many(6, action('request', 0, QUESTIONS.length - 1)),
    many(4, action('look', 0, 3)),
    many(4, action('answer', 0, 3)),
    many(1, action('fail', 0, 3)),
    many(4, action('commit', 0, CHANGES.length - 1)),
    many(1, action('bear', 0, 0)),
    many(2, action('tell', 0, 0)),
    many(3, action('beat', 0, 0)),
    many(1, action('tell everything', 0, 0)),
    many(1, action('lose', 0, 0)),
    many(1, action('interrupt', 0, 0)),
    many(2, action('pass', 300, MAX_STALENESS_MS + 1)),
  ),
  { minLength: 5, maxLength: 40, size: 'max' },
);

const settle = () => new Promise<void>((resolve) => setImmediate(resolve));

/**
 * Plays the actions one after another, and throws if an answer is older than allowed. A request must see what the feed
 * had reported when it arrived; everything acknowledged longer ago than the maximum staleness; everything acknowledged
 * at all, while the feed was not fresh; and, if it was fresh throughout, also what was reported until the answer. A
 * token must be found once its creation was acknowledged, and an organization never by another account.
 */
export async function playInterleaving(
  cached: Cached,
  actions: readonly (readonly [kind: string, value: number])[],
): Promise<void> {
  const parts = createFeedParts();
  const { feed, isFresh } = parts;
  const store = createModelStore();
  const slow = createSlowReads();
  const reads = cached(
    {
      findRecord: (id) => slow.read(() => store.findRecord(id)),
      findForUser: (_, reader) => slow.read(() => store.findForUser(reader)),
      list: () => slow.read(() => store.listKeys()),
      listServices: () => slow.read(() => store.listServices()),
    },
    { feed, isFresh },
  );

  let now = 0;
  let untold: Change[] = [];
  let told = new Map<string, number>();
  /** Whether nothing is heard, while what was heard may still be used. */
  let interrupted = false;
  /** The versions in the store, and since when. */
  const history = [{ since: 0, versions: store.versions() }];
  let freshnessBreaks = 0;
  let unanswered = 0;
  const problems: string[] = [];

  const tellAll = () => {
    told = new Map(store.versions());
    untold = [];
  };
  const tellNext = () => {
    const change = untold.shift();
    if (!change) return;
    const fact = factOf(change);
    told.set(fact, (told.get(fact) ?? 0) + 1);
    feed.tell(change);
  };
  const mustSee = () => {
    if (!isFresh()) return store.versions();
    const old = history.findLast(({ since }) => now - since > MAX_STALENESS_MS)?.versions;
    const floor = new Map(told);
    for (const [fact, version] of old ?? []) floor.set(fact, Math.max(version, floor.get(fact) ?? 0));
    return floor;
  };

  const ask = (question: Question): Promise<Answer | undefined> => {
    if ('keys' in question) return reads.list();
    if ('services' in question) return Promise.resolve(reads.listServices());
    if ('tokenId' in question) return Promise.resolve(reads.findRecord(question.tokenId));
    return Promise.resolve(reads.findForUser(question.organizationId, question.reader));
  };

  const request = (question: Question) => {
    const floor = mustSee();
    const breaks = freshnessBreaks;
    const born = store.hasUnborn();
    unanswered += 1;
    const check = (answer: Answer | undefined) => {
      unanswered -= 1;
      if (isForeign(question)) {
        if (answer !== undefined) problems.push('found by another account');
        return;
      }
      if (answer === undefined) {
        const mayBeAbsent = 'tokenId' in question && question.tokenId === UNBORN && !born;
        if (!mayBeAbsent) problems.push('absent, though it was there');
        return;
      }
      if (!store.isAsNewAs(floor, question, answer)) problems.push('older than when it was asked for');
      if (breaks === freshnessBreaks && isFresh() && !store.isAsNewAs(told, question, answer)) {
        problems.push('outdated when it was answered');
      }
    };
    ask(question).then(check, (fault) => {
      unanswered -= 1;
      if (!(fault instanceof ReadFailed || fault instanceof UnavailableFault)) problems.push(String(fault));
    });
  };

  const act = (kind: string, value: number) => {
    switch (kind) {
      case 'request':
        return request(QUESTIONS[value] as Question);
      case 'look':
        return slow.look(value);
      case 'answer':
        return slow.answer(value);
      case 'fail':
        return slow.fail(value);
      case 'commit': {
        const change = CHANGES[value] as Change;
        store.change(change);
        untold.push(change);
        return history.push({ since: now, versions: store.versions() });
      }
      case 'bear':
        return store.bear();
      case 'tell':
        return interrupted ? undefined : tellNext();
      case 'beat':
        if (interrupted) act('tell everything', 0);
        // An answered heartbeat has reported everything committed before it, or everything after a loss.
        while (untold.length > 0 && feed.heardUpTo()) tellNext();
        tellAll();
        return feed.beat();
      case 'tell everything':
        // Also what a feed does when it hears again, before it is trusted.
        interrupted = false;
        tellAll();
        return feed.tell({ kind: 'everything' });
      case 'lose':
        tellAll();
        return feed.lose();
      case 'interrupt':
        interrupted = true;
        return undefined;
      case 'pass':
        parts.pass(value);
        now += value;
    }
  };

  const step = async (kind: string, value = 0) => {
    act(kind, value);
    if (!isFresh()) freshnessBreaks += 1;
    await settle();
    if (problems.length > 0) throw new Error(problems.join('; '));
  };
  const answerAll = async () => {
    for (let turn = 0; slow.open > 0 && turn < 1000; turn += 1) await step('answer');
    if (unanswered > 0) throw new Error('a request was never answered');
  };

  for (const [kind, value] of actions) await step(kind, value);
  await answerAll();
  // No cached entry may be outdated.
  for (const last of ['tell', 'beat']) {
    await step(last);
    for (const index of QUESTIONS.keys()) await step('request', index);
    await answerAll();
  }
}
