import type { AttemptRepository } from '../../src/identity-providers/index.ts';
import type { State } from './state.ts';

export function createInMemoryAttemptRepository(state: State): AttemptRepository {
  return {
    async insert(attempt) {
      state.attempts.set(attempt.stateHash, attempt);
    },
    async take(stateHash) {
      const taken = state.attempts.get(stateHash);
      state.attempts.delete(stateHash);
      return taken;
    },
    async sweep({ createdBefore, limit }) {
      const old = [...state.attempts.values()].filter(({ createdAt }) => createdAt < createdBefore);
      const swept = old.slice(0, limit);
      for (const { stateHash } of swept) state.attempts.delete(stateHash);
      return swept.length;
    },
  };
}
