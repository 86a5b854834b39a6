import type { TokenId, TokenIdGenerator } from '../src/tokens/index.ts';

/** Creates a TokenIdGenerator for tests that always generates the same ids in the same order. */
export function createSequentialTokenIds(): TokenIdGenerator {
  let count = 0;
  return {
    next() {
      count += 1;
      return `01999999-0000-7000-8000-${String(count).padStart(12, '0')}` as TokenId;
    },
  };
}
