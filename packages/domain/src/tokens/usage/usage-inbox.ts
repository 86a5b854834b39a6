import type { Instant } from '../../time/instant.ts';
import { UnavailableFault } from '../../unavailable-fault.ts';
import type { TokenId } from '../token.ts';
import type { UsageRefusal } from './token-usage.ts';
import type { UsageCounts, UsageSubscription } from './usage-feed.ts';

/** Tokens whose counts may wait for whoever reads, a few hundred bytes each. */
const MOST = 100_000;

/** What waits for whoever reads a usage feed. */
export interface UsageInbox {
  add(counts: readonly UsageCounts[]): void;
  /** Nothing comes any more; `fault` says why, to be thrown after what waits is read. */
  end(fault?: Error): void;
  /** By one reader only. */
  read(): AsyncGenerator<readonly UsageCounts[], void, undefined>;
}

/** Keeps the counts of one token together while they wait, so that a slow reader costs no more than that. */
export function createUsageInbox(most = MOST): UsageInbox {
  let waiting = new Map<TokenId, UsageCounts>();
  let ended: { readonly fault: Error | undefined } | undefined;
  let changed = Promise.withResolvers<void>();

  function end(fault?: Error): void {
    ended ??= { fault };
    changed.resolve();
  }

  return {
    add(counts) {
      if (ended) return;
      for (const each of counts) {
        const before = waiting.get(each.tokenId);
        waiting.set(each.tokenId, before ? sum(before, each) : each);
      }
      changed.resolve();
      if (waiting.size > most) {
        waiting.clear();
        end(
          new UnavailableFault(
            `whoever watches does not keep up: the usage of more than ${most} tokens waits`,
          ),
        );
      }
    },
    end,
    async *read() {
      for (;;) {
        if (waiting.size > 0) {
          const taken = [...waiting.values()];
          waiting = new Map();
          yield taken;
        } else if (ended) {
          if (ended.fault) throw ended.fault;
          return;
        } else {
          await changed.promise;
          changed = Promise.withResolvers();
        }
      }
    },
  };
}

/** An inbox for whoever listens, closed by them or when they stop reading. */
export function subscriptionTo(
  inbox: Pick<UsageInbox, 'read'>,
  close: () => Promise<void>,
): UsageSubscription {
  return {
    async *[Symbol.asyncIterator]() {
      try {
        yield* inbox.read();
      } finally {
        await close();
      }
    },
    close,
  };
}

function sum(one: UsageCounts, other: UsageCounts): UsageCounts {
  const refusals = { ...one.refusals };
  for (const [reason, count] of Object.entries(other.refusals) as [UsageRefusal, number][]) {
    refusals[reason] = (refusals[reason] ?? 0) + count;
  }
  return {
    tokenId: one.tokenId,
    uses: one.uses + other.uses,
    refusals,
    at: Math.max(one.at, other.at) as Instant,
  };
}
