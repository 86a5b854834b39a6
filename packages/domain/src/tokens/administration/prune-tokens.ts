import { authorized, PRUNE_TOKENS } from '../../access/index.ts';
import { eventBy } from '../../audit/event-by.ts';
import { type Counted, counted } from '../../paging.ts';
import type { Ports } from '../../ports.ts';
import { invalid, ok } from '../../result.ts';
import { type Instant, shifted } from '../../time/instant.ts';
import { tokenPruned } from '../token-events.ts';

/** The number of tokens that pruning would delete: the sign-in tokens that ended before `endedBefore`. */
export interface PrunableTokens extends Counted {
  readonly endedBefore: Instant;
}

/**
 * Counting stops at this number. The operator is shown the number before confirming the deletion, and should not have
 * to wait long for it.
 */
const MAX_COUNTED = 100_000;

/** Counts the sign-in tokens that ended more than `olderThanMs` milliseconds ago. */
export const countPrunableTokens = authorized(
  PRUNE_TOKENS,
  ({ tokens, clock }: Ports<'tokens' | 'clock'>) =>
    async (_, { olderThanMs }: { readonly olderThanMs: number }) => {
      const endedBefore = shifted(clock.now(), -olderThanMs);
      const number = await tokens.countEnded({ endedBefore, limit: MAX_COUNTED + 1 });
      return ok({ endedBefore, ...counted(number, MAX_COUNTED) });
    },
);

/**
 * The number of tokens that one statement deletes. The change feed reports at most 100 changed ids per statement. After
 * a statement with more ids, every server has to empty its whole cache.
 */
const BATCH = 100;

/**
 * Deletes one batch of the sign-in tokens that ended before `endedBefore`. Call this function again while it returns
 * `more: true`. A batch is committed when the call returns, so pruning can stop between batches. The audit log keeps
 * the history of the tokens. API tokens are never deleted.
 */
export const pruneTokens = authorized(
  PRUNE_TOKENS,
  ({ tokens, clock }: Ports<'tokens' | 'clock'>) =>
    async (caller, { endedBefore }: { readonly endedBefore: Instant }) => {
      const now = clock.now();
      if (endedBefore > now) return invalid('older_than', 'must lie in the past');
      const pruned = await tokens.prune({ endedBefore, limit: BATCH }, (token) =>
        eventBy(caller, tokenPruned(token, now)),
      );
      return ok({ pruned, more: pruned === BATCH });
    },
);
