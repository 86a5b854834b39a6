import type { Way } from './way.ts';

/** Whether this is a request whose answer says whether tokens are active. */
export const saysWhetherActive = (path: string) => /\/(introspect|token-refreshes)$/.test(path);

/** Holds back the answers to questions about tokens, and passes on all others. */
export function holdAnswers(way: Way) {
  const { promise: answered, resolve: arrive } = Promise.withResolvers<void>();
  const { promise: released, resolve } = Promise.withResolvers<void>();
  way.carryAnswers((_, path) => {
    if (!saysWhetherActive(path)) return undefined;
    arrive();
    return released;
  });
  return {
    /** Resolves when a server has answered a question. */
    answered,
    /** Passes on all answers from now on, also the held ones. */
    release(): void {
      way.carryAnswers(() => undefined);
      resolve();
    },
  };
}
