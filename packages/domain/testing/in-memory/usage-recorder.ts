import { addMilliseconds, formatInstant, type Instant } from '../../src/time/index.ts';
import type {
  AddressOfUse,
  TokenId,
  TokenUsageWithAddresses,
  UsageRecorder,
  UseAtService,
} from '../../src/tokens/index.ts';
import { addressOfUse, isLive, KEPT_ADDRESSES } from '../../src/tokens/index.ts';
import type { State } from './state.ts';

/** Creates a recorder that stores immediately. */
export function createInMemoryUsageRecorder(state: State): UsageRecorder {
  const store = (id: TokenId, change: (usage: TokenUsageWithAddresses) => TokenUsageWithAddresses) => {
    if (state.tokens.has(id)) state.usage.set(id, change(state.usageOf(id)));
  };
  return {
    used(id, at, from = '', service) {
      replacePredecessorOf(state, id, at);
      store(id, (usage) => ({
        ...usage,
        lastUsedAt: Math.max(usage.lastUsedAt ?? at, at) as Instant,
        usedFrom: merged(usage.usedFrom, { address: from, firstAt: at, lastAt: at, times: 1 }),
        ...(service !== undefined && {
          usedAt: usedAtAfter(usage.usedAt, {
            service: service.name,
            lastAt: at,
            from: service.from ?? null,
            isReported: false,
          }),
        }),
      }));
      if (service !== undefined) state.usedAtServiceSince(id, service.name, at);
    },
    usedCredential(id, at) {
      state.credentialUses.set(id, Math.max(state.credentialUses.get(id) ?? at, at) as Instant);
    },
    refused(id, at, reason, from = '') {
      store(id, (usage) => ({
        ...usage,
        lastRefusal: (usage.lastRefusal?.at ?? at) > at ? usage.lastRefusal : { at, reason, from: null },
        refusedFrom: merged(usage.refusedFrom, { address: from, firstAt: at, lastAt: at, times: 1, reason }),
      }));
    },
    usedOutside(id, at, from) {
      if (state.tokens.get(id)?.networks?.mode !== 'report-only') return;
      const seen = { address: from, firstAt: at, lastAt: at, times: 1 };
      state.outside.set(id, merged(state.outside.get(id) ?? [], seen));
    },
    flush: async () => {},
  };
}

/**
 * Adds a use at a service to the last uses at services. An earlier use replaces no later one, and a reported use none
 * at the same time.
 */
export function usedAtAfter(kept: readonly UseAtService[], use: UseAtService): readonly UseAtService[] {
  const before = kept.find(({ service }) => service === use.service);
  const isOlder = before && (before.lastAt > use.lastAt || (use.isReported && before.lastAt === use.lastAt));
  const last = isOlder ? before : { ...use, from: addressOfUse(use.from ?? '') ?? null };
  return [last, ...kept.filter((each) => each !== before)].toSorted(
    (a, b) => b.lastAt - a.lastAt || (a.service < b.service ? -1 : 1),
  );
}

/** Adds requests from an address, unless that is not known, to the addresses of the last ones. */
export function merged<Address extends AddressOfUse>(
  kept: readonly Address[],
  seen: Address,
): readonly Address[] {
  const address = addressOfUse(seen.address);
  if (address === undefined) return kept;
  const added = { ...seen, address };
  const before = kept.find(({ address }) => address === added.address) ?? { ...added, times: 0 };
  const last = added.lastAt < before.lastAt ? before : added;
  const sum = {
    ...last,
    firstAt: Math.min(before.firstAt, added.firstAt) as Instant,
    times: before.times + added.times,
  };
  return [sum, ...kept.filter((each) => each !== before)]
    .toSorted((a, b) => b.lastAt - a.lastAt || (a.address < b.address ? -1 : 1))
    .slice(0, KEPT_ADDRESSES);
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
