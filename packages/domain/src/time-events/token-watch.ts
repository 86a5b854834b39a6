import type { Instant } from '../time/instant.ts';
import type { TokenRecord } from '../tokens/token.ts';
import type { AddressOfUse, TokenUsage } from '../tokens/usage/token-usage.ts';

/**
 * The facts that were recorded about a token, so that none is recorded twice, and the time to look at the token again.
 * They mean the same to a server whose clock differs.
 */
export interface TokenWatch {
  /** The time at which to look at the token again; null if no further fact can come. */
  readonly lookAt: Instant | null;
  /** The expiry to which `daysLeft` belongs. */
  readonly expiresAt: Instant | null;
  /** The least number of days before the expiry that was recorded, 0 for the use of the ended token; null for none. */
  readonly daysLeft: number | null;
  /** The last use, or the creation, that began the time without use which was recorded; null for none. */
  readonly unusedSince: Instant | null;
  /** The first use from the newest address that was considered; null if there was none. */
  readonly newestAddressAt: Instant | null;
}

/** The watch of a token about which nothing was recorded. */
export const NOT_WATCHED: Omit<TokenWatch, 'lookAt'> = {
  expiresAt: null,
  daysLeft: null,
  unusedSince: null,
  newestAddressAt: null,
};

/** A token to look at, with the facts that decide which events of time it has. */
export interface WatchedToken {
  readonly record: TokenRecord;
  readonly usage: Pick<TokenUsage, 'lastUsedAt' | 'lastRefusal'>;
  /** The last addresses of its uses, in any order. */
  readonly usedFrom: readonly AddressOfUse[];
  readonly watch: Omit<TokenWatch, 'lookAt'>;
}

/** A day, in milliseconds. */
export const DAY_MS = 86_400_000;
