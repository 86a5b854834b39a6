import { authorized } from '../../access/authorized.ts';
import { PRUNE_TOKENS } from '../../access/rules.ts';
import { eventBy } from '../../audit/event-by.ts';
import { invalidInput } from '../../invalid-input.ts';
import { err, ok } from '../../result.ts';
import type { Clock } from '../../time/clock.ts';
import type { Instant } from '../../time/instant.ts';
import { tokenPruned } from '../token-events.ts';
import type { TokenRepository } from '../token-repository.ts';

export interface PruneTokensPorts {
  readonly tokens: Pick<TokenRepository, 'countEnded' | 'prune'>;
  readonly clock: Clock;
}

/** What pruning would delete. */
export interface PrunableTokens {
  readonly endedBefore: Instant;
  readonly count: number;
  /** There are more than were counted. */
  readonly more: boolean;
}

/** Counting on would take longer than anybody waits for a question. */
const MOST_COUNTED = 100_000;

/** Counts the sign-in tokens that ended longer ago than this. */
export const countPrunableTokens = authorized(
  PRUNE_TOKENS,
  ({ tokens, clock }: PruneTokensPorts) =>
    async (_, { olderThanMs }: { readonly olderThanMs: number }) => {
      // A duration may reach back further than moments can be written; nothing here is that old.
      const endedBefore = Math.max(0, clock.now() - olderThanMs) as Instant;
      const counted = await tokens.countEnded({ endedBefore, limit: MOST_COUNTED + 1 });
      return ok({ endedBefore, count: Math.min(counted, MOST_COUNTED), more: counted > MOST_COUNTED });
    },
);

/**
 * The change feed names at most a hundred ids of one statement: with more, every server would drop all that it
 * remembers, again and again for as long as the pruning takes.
 */
const BATCH = 100;

/**
 * Deletes one batch of the sign-in tokens that ended before this moment; while there is `more`, it is called again.
 * Each batch is done when it answers, so that whoever stops in between loses nothing. The audit log keeps their
 * story; API tokens stay.
 */
export const pruneTokens = authorized(
  PRUNE_TOKENS,
  ({ tokens, clock }: PruneTokensPorts) =>
    async (caller, { endedBefore }: { readonly endedBefore: Instant }) => {
      const now = clock.now();
      if (endedBefore > now)
        return err(invalidInput({ field: 'older_than', message: 'must lie in the past' }));
      const pruned = await tokens.prune({ endedBefore, limit: BATCH }, (token) =>
        eventBy(caller, tokenPruned(token, now)),
      );
      return ok({ pruned, more: pruned === BATCH });
    },
);
