import { authorized, PRUNE_TOKENS } from '../../access/index.ts';
import { eventBy } from '../../audit/event-by.ts';
import type { Ports } from '../../ports.ts';
import { invalid, ok } from '../../result.ts';
import type { Instant } from '../../time/instant.ts';
import { tokenPruned } from '../token-events.ts';

/** The tokens that pruning would delete. */
export interface PrunableTokens {
  readonly endedBefore: Instant;
  readonly count: number;
  /** Whether there are more than were counted. */
  readonly more: boolean;
}

/** Tokens are counted up to this number, so that the prompt appears soon. */
const MAX_COUNTED = 100_000;

/** Counts the sign-in tokens that ended longer ago than this duration. */
export const countPrunableTokens = authorized(
  PRUNE_TOKENS,
  ({ tokens, clock }: Ports<'tokens' | 'clock'>) =>
    async (_, { olderThanMs }: { readonly olderThanMs: number }) => {
      // A duration can reach back beyond the first instant; no token is that old.
      const endedBefore = Math.max(0, clock.now() - olderThanMs) as Instant;
      const counted = await tokens.countEnded({ endedBefore, limit: MAX_COUNTED + 1 });
      return ok({ endedBefore, count: Math.min(counted, MAX_COUNTED), more: counted > MAX_COUNTED });
    },
);

/**
 * The change feed names at most a hundred ids per statement. With larger batches every server would drop its whole
 * cache for each of them.
 */
const BATCH = 100;

/**
 * Deletes one batch of the sign-in tokens that ended before this time; call it again while there is `more`. Each
 * batch is committed when it returns, so pruning can stop in between. The audit log keeps their history. API tokens
 * are never deleted.
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
