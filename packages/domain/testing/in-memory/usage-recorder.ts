import type { Instant } from '../../src/time/index.ts';
import {
  NEVER_USED,
  replacedBy,
  type TokenId,
  type TokenUsage,
  tokenReplaced,
  type UsageRecorder,
} from '../../src/tokens/index.ts';
import type { State } from './state.ts';

/** Creates a recorder that stores immediately. */
export function createInMemoryUsageRecorder(state: State): UsageRecorder {
  const store = (id: TokenId, change: (usage: TokenUsage) => TokenUsage) => {
    if (state.tokens.has(id)) state.usage.set(id, change(state.usage.get(id) ?? NEVER_USED));
  };
  return {
    used(id, at) {
      replacePredecessorOf(state, id, at);
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

/** Sets the predecessor's expiry at the first use of its successor. */
function replacePredecessorOf(state: State, id: TokenId, usedAt: Instant): void {
  const successor = state.tokens.get(id);
  const predecessor = successor?.replaces && state.tokens.get(successor.replaces.tokenId);
  if (!successor?.replaces || !predecessor) return;
  const replaced = replacedBy({ ...successor, replaces: successor.replaces }, predecessor, usedAt);
  if (!replaced) return;
  state.tokens.set(replaced.id, replaced);
  state.events.push(tokenReplaced(replaced, usedAt, id));
}
