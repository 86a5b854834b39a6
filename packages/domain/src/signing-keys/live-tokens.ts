import type { Instant } from '../time/instant.ts';
import type { SigningKey } from './signing-key.ts';

/**
 * The tokens of a key that are neither revoked nor expired. Tokens of disabled users and suspended accounts count,
 * because the user can be enabled and the account resumed.
 */
export interface LiveTokens {
  readonly count: number;
  /** The number of tokens without an expiry. */
  readonly withoutExpiry: number;
  /** When the last of the others expires; null if there are none. */
  readonly lastExpiry: Instant | null;
}

export const NO_LIVE_TOKENS: LiveTokens = { count: 0, withoutExpiry: 0, lastExpiry: null };

/** The earliest time to retire a key without rejecting a live token; null if a token without an expiry prevents it. */
export function retirableAt(
  { state }: Pick<SigningKey, 'state'>,
  live: LiveTokens,
  now: Instant,
): Instant | null {
  if (state !== 'verify-only' || live.withoutExpiry > 0) return null;
  return live.lastExpiry ?? now;
}
