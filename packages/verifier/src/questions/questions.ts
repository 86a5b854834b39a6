import type { Knowledge } from '../core/knowledge.ts';
import { type ActiveToken, type Asked, type Introspection, NoAnswer } from './introspect.ts';

export interface QuestionsOptions {
  readonly knowledge: Knowledge<ActiveToken>;
  readonly introspect: (asked: Asked) => Promise<Introspection>;
  /** How many questions may be under way. */
  readonly maxUnderWay: number;
  readonly onInactive: (key: string) => void;
}

/** The client of one token takes no more than this part of all questions, so that it leaves some to others. */
const TOKENS_AT_ONCE = 8;

interface Shared {
  readonly answer: ActiveToken | 'inactive';
  /** Whether a request that joined may use it. */
  readonly isForAll: boolean;
}

/** The answer about a token. */
export interface Answered {
  readonly answer: ActiveToken | 'inactive';
  /** Gatehouse was asked for this request, and not for one that it joined. */
  readonly isOwn: boolean;
}

/** Asks Gatehouse about tokens; requests with the same token join a question while that is safe. @throws NoAnswer */
export function createQuestions({ knowledge, introspect, maxUnderWay, onInactive }: QuestionsOptions) {
  const joinable = new Map<string, Promise<Shared>>();
  const ofToken = new Map<string, number>();
  const maxOfToken = Math.max(1, Math.floor(maxUnderWay / TOKENS_AT_ONCE));
  let underWay = 0;

  /** Counts a question that begins or ends. */
  function count(key: string, by: 1 | -1): void {
    underWay += by;
    const own = (ofToken.get(key) ?? 0) + by;
    if (own === 0) ofToken.delete(key);
    else ofToken.set(key, own);
  }

  async function ask(key: string, asked: Asked): Promise<Shared> {
    if (underWay >= maxUnderWay || (ofToken.get(key) ?? 0) >= maxOfToken)
      throw new NoAnswer('too many questions are under way');
    count(key, 1);
    const question = knowledge.ask();
    try {
      const answer = await introspect(asked);
      if (answer === 'inactive') {
        onInactive(key);
        return { answer, isForAll: true };
      }
      const { provenance, ...active } = answer;
      // The rule of the core: whether it may be shared is asked before the answer is told.
      const isForAll = knowledge.mayShare(question, provenance);
      if (knowledge.answered(question, key, active, provenance) === 'useless')
        throw new NoAnswer('the answer came late');
      return { answer: active, isForAll };
    } finally {
      knowledge.abandon(question);
      count(key, -1);
    }
  }

  return async (key: string, asked: Asked): Promise<Answered> => {
    const other = joinable.get(key);
    if (other && knowledge.isFresh()) {
      const shared = await other.catch(() => undefined);
      if (shared?.isForAll) return { answer: shared.answer, isOwn: false };
      return { answer: (await ask(key, asked)).answer, isOwn: true };
    }
    const own = ask(key, asked);
    joinable.set(key, own);
    try {
      return { answer: (await own).answer, isOwn: true };
    } finally {
      if (joinable.get(key) === own) joinable.delete(key);
    }
  };
}
