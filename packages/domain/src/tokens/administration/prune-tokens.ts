import { authorized, PRUNE_TOKENS } from '../../access/index.ts';
import { eventBy } from '../../audit/event-by.ts';
import { type Counted, counted } from '../../paging.ts';
import type { Ports } from '../../ports.ts';
import { invalid, ok } from '../../result.ts';
import { type Instant, shifted } from '../../time/instant.ts';
import { tokenPruned } from '../token-events.ts';

/** The tokens that pruning would delete. */
export interface PrunableTokens extends Counted {
  readonly endedBefore: Instant;
}

/** The largest number of tokens that are counted, so that the prompt appears soon. */
const MAX_COUNTED = 100_000;

/** Counts the sign-in tokens that ended longer ago than this duration. */
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
 * The change feed names at most a hundred ids per statement. With larger batches every server would drop its whole
 * cache for each of them.
 */
const BATCH = 100;

/**
 * Deletes one batch of the sign-in tokens that ended before this time. Call it again while `more` is true. A batch is committed
 * when the call returns, so pruning can stop between batches. The audit log keeps the history of the tokens. API tokens are
 * never deleted.
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
