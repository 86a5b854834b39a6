import type { Clock } from '../src/time/index.ts';
import type { TokenId, TokenIdGenerator } from '../src/tokens/index.ts';

/** Creates a TokenIdGenerator for tests that always generates the same ids in the same order. @param clock their time; else a fixed one */
export function createSequentialTokenIds(clock?: Clock): TokenIdGenerator {
  let count = 0;
  return {
    next() {
      count += 1;
      const time = (clock?.now() ?? 0x0199_9999_0000).toString(16).padStart(12, '0');
      return `${time.slice(0, 8)}-${time.slice(8)}-7000-8000-${String(count).padStart(12, '0')}` as TokenId;
    },
  };
}
