import type { Knowledge } from '../core/knowledge.ts';
import { type ActiveToken, type Introspection, NoAnswer } from './introspect.ts';

export interface QuestionsOptions {
  readonly knowledge: Knowledge<ActiveToken>;
  readonly introspect: (token: string) => Promise<Introspection>;
  /** How many questions may be under way. */
  readonly maxUnderWay: number;
  readonly onInactive: (key: string) => void;
}

interface Shared {
  readonly answer: ActiveToken | 'inactive';
  /** Whether a request that joined may use it. */
  readonly isForAll: boolean;
}

/** Asks Gatehouse about tokens; requests with the same token join a question while that is safe. @throws NoAnswer */
export function createQuestions({ knowledge, introspect, maxUnderWay, onInactive }: QuestionsOptions) {
  const joinable = new Map<string, Promise<Shared>>();
  let underWay = 0;

  async function ask(key: string, token: string): Promise<Shared> {
    if (underWay >= maxUnderWay) throw new NoAnswer('too many questions are under way');
    underWay += 1;
    const question = knowledge.ask();
    try {
      const answer = await introspect(token);
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
      underWay -= 1;
    }
  }

  return async (key: string, token: string): Promise<ActiveToken | 'inactive'> => {
    const other = joinable.get(key);
    if (other && knowledge.isFresh()) {
      const shared = await other.catch(() => undefined);
      if (shared?.isForAll) return shared.answer;
      return (await ask(key, token)).answer;
    }
    const asked = ask(key, token);
    joinable.set(key, asked);
    try {
      return (await asked).answer;
    } finally {
      if (joinable.get(key) === asked) joinable.delete(key);
    }
  };
}
