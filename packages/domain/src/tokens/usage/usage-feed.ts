import type { Instant } from '../../time/instant.ts';
import type { TokenId } from '../token.ts';
import type { UsageRefusal } from './token-usage.ts';

/** The number of refusals by reason. Reasons that did not occur are absent. */
export type RefusalCounts = Readonly<Partial<Record<UsageRefusal, number>>>;

/** The number of uses and refusals of a token since a recorder last stored its usage. */
export interface UsageCounts {
  readonly tokenId: TokenId;
  readonly uses: number;
  readonly refusals: RefusalCounts;
  /** The time of the last of them. */
  readonly at: Instant;
}

/** A subscription to a usage feed, in the order of storing. It can be iterated once. */
export interface UsageSubscription extends AsyncIterable<readonly UsageCounts[]> {
  /** Closes the subscription and ends the iteration. Breaking out of the loop does the same. */
  close(): Promise<void>;
}

/**
 * Delivers usage from all nodes within two seconds, when recorders store it. Earlier usage is not replayed to new
 * subscribers. A count can be delivered twice if a recorder could not know that it was stored.
 * Implementations pass `usageFeedContract`.
 */
export interface UsageFeed {
  /**
   * Resolves when the subscription has begun; it delivers everything that is stored from then on. Rejects with an
   * `UnavailableFault` if it cannot begin, and the iteration throws one if it is interrupted. A slow reader gets
   * fewer, larger batches.
   */
  listen(): Promise<UsageSubscription>;
}
