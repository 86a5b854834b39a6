import type { Instant } from '../../time/instant.ts';
import type { TokenId } from '../token.ts';
import type { UsageRefusal } from './token-usage.ts';

/** The number of refusals by reason. Reasons that did not occur are absent. */
export type RefusalCounts = Readonly<Partial<Record<UsageRefusal, number>>>;

/** The number of uses and refusals of a token since a recorder last stored the usage of this token. */
export interface UsageCounts {
  readonly tokenId: TokenId;
  readonly uses: number;
  readonly refusals: RefusalCounts;
  /** The time of the last of these uses and refusals. */
  readonly at: Instant;
}

/**
 * A subscription to a usage feed. It delivers usage in the order in which recorders stored it, and can be iterated only
 * once.
 */
export interface UsageSubscription extends AsyncIterable<readonly UsageCounts[]> {
  /** Closes the subscription and ends the iteration. Breaking out of the loop does the same. */
  close(): Promise<void>;
}

/**
 * Delivers usage from all nodes when their recorders store it, within two seconds of the request. A new subscriber does
 * not get earlier usage. A count can be delivered twice if a recorder was not told that the count had been stored, and
 * stored it again.
 * Implementations pass `usageFeedContract`.
 */
export interface UsageFeed {
  /**
   * Resolves when the subscription has begun. The subscription delivers all usage that is stored from then on. If it
   * cannot begin, the promise rejects with an `UnavailableFault`. If it is interrupted later, the iteration throws an
   * `UnavailableFault`. A slow reader gets fewer, larger batches.
   */
  listen(): Promise<UsageSubscription>;
}
