import { addMilliseconds, formatInstant, type Instant } from '../../src/time/index.ts';
import type { TokenId, TokenUsage, UsageRecorder } from '../../src/tokens/index.ts';
import { isLive, NEVER_USED } from '../../src/tokens/index.ts';
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
function replacePredecessorOf(state: State, successorId: TokenId, at: Instant): void {
  const successor = state.tokens.get(successorId);
  const predecessor = successor?.replaces && state.tokens.get(successor.replaces.tokenId);
  if (!predecessor || successor.revocation || predecessor.replacedAt !== null || !isLive(predecessor, at))
    return;
  const graceEnds = addMilliseconds(at, successor.replaces.graceMs);
  const expiresAt = Math.min(graceEnds, predecessor.expiresAt ?? graceEnds) as Instant;
  const { id, accountId, name } = predecessor;
  state.tokens.set(id, { ...predecessor, expiresAt, replacedAt: at });
  state.events.push({
    at,
    actor: { kind: 'token', id: successorId },
    origin: 'usage',
    action: 'token.replaced',
    subject: { type: 'token', id },
    accountId,
    details: { name, successor_id: successorId, expires_at: formatInstant(expiresAt) },
  });
}
