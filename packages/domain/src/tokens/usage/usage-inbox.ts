import { UnavailableFault } from '../../faults.ts';
import type { Instant } from '../../time/instant.ts';
import type { TokenId } from '../token.ts';
import type { UsageRefusal } from './token-usage.ts';
import type { UsageCounts, UsageSubscription } from './usage-feed.ts';

/** Maximum number of tokens with unread counts, a few hundred bytes each. */
const MAX_UNREAD_TOKENS = 100_000;

/** The unread usage of one subscription. */
export interface UsageInbox {
  add(counts: readonly UsageCounts[]): void;
  /** Closes the inbox. The reader still gets the unread counts. After that, `read` throws `fault`, if there is one. */
  end(fault?: Error): void;
  /** Yields the unread counts, and waits for more until the inbox is closed. Only one reader may call this function. */
  read(): AsyncGenerator<readonly UsageCounts[], void, undefined>;
}

/** Creates an inbox. It adds up the unread counts of each token, so that a slow reader costs little memory. */
export function createUsageInbox(most = MAX_UNREAD_TOKENS): UsageInbox {
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
        const backlog = `more than ${most} tokens have unread usage`;
        end(
          new UnavailableFault(
            `the reader of the usage feed is too slow, so the feed was closed: ${backlog}`,
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

/** Wraps an inbox as a subscription. `close` is called when the reader stops or the inbox ends. */
export function subscriptionTo(inbox: Pick<UsageInbox, 'read'>, close: UsageSubscription['close']) {
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
  return { ...one, uses: one.uses + other.uses, refusals, at: Math.max(one.at, other.at) as Instant };
}
