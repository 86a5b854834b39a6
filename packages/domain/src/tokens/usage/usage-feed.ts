import type { Instant } from '../../time/instant.ts';
import type { TokenId } from '../token.ts';
import type { UsageRefusal } from './token-usage.ts';

/** How often a token was refused, by reason; only reasons that there were. */
export type RefusalCounts = Readonly<Partial<Record<UsageRefusal, number>>>;

/** How often a token was used and refused since a recorder stored its usage before. */
export interface UsageCounts {
  readonly tokenId: TokenId;
  readonly uses: number;
  readonly refusals: RefusalCounts;
  /** The last of these moments. */
  readonly at: Instant;
}

/** What a feed tells, in the order in which it was stored. To be read once. */
export interface UsageSubscription extends AsyncIterable<readonly UsageCounts[]> {
  /** Whoever reads comes to the end; so does this, when whoever reads stops. */
  close(): Promise<void>;
}

/**
 * Tells of usage as recorders store it: within two seconds, of all nodes. Nothing is kept for those who listen
 * later, and a count may be told twice where a recorder could not know that it was stored.
 * Implementations pass `usageFeedContract`.
 */
export interface UsageFeed {
  /**
   * Resolves when it listens: what is stored from then on is told. An `UnavailableFault` says that it cannot
   * listen; to whoever reads, that it cannot any more. Who reads slowly is told less often, of more at once.
   */
  listen(): Promise<UsageSubscription>;
}
