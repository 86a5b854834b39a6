import { endOf, type Token, type TokenRepository } from '../../src/tokens/index.ts';
import type { State } from './state.ts';

/** The part of a TokenRepository that deletes ended sign-in tokens. */
export function tokenPruning(state: State): Pick<TokenRepository, 'countEnded' | 'prune'> {
  const ended = ({ endedBefore, limit }: Parameters<TokenRepository['countEnded']>[0]) =>
    [...state.tokens.values()].filter((token) => isEnded(token, endedBefore)).slice(0, limit);
  return {
    async countEnded(options) {
      return ended(options).length;
    },
    async prune(options, audit) {
      const tokens = ended(options);
      const events = tokens.map(audit);
      for (const { id } of tokens) {
        state.tokens.delete(id);
        state.usage.delete(id);
      }
      state.events.push(...events);
      return tokens.length;
    },
  };
}

function isEnded(token: Token, before: number): boolean {
  const end = endOf(token);
  return token.kind === 'sign-in' && end !== null && end < before;
}
