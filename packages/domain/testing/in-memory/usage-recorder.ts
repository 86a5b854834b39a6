import { NEVER_USED, type TokenId, type TokenUsage, type UsageRecorder } from '../../src/index.ts';
import type { State } from './state.ts';

/** Stores as it records. */
export function createInMemoryUsageRecorder(state: State): UsageRecorder {
  const store = (id: TokenId, change: (usage: TokenUsage) => TokenUsage) => {
    if (state.tokens.has(id)) state.usage.set(id, change(state.usage.get(id) ?? NEVER_USED));
  };
  return {
    used(id, at) {
      store(id, (usage) => ((usage.lastUsedAt ?? at) > at ? usage : { ...usage, lastUsedAt: at }));
    },
    refused(id, at, reason) {
      store(id, (usage) =>
        (usage.lastRefusal?.at ?? at) > at ? usage : { ...usage, lastRefusal: { at, reason } },
      );
    },
    flush: async () => {},
  };
}
