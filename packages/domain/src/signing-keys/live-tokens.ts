import type { Instant } from '../time/instant.ts';
import type { SigningKey } from './signing-key.ts';

/**
 * The tokens that a key signed and that are neither revoked nor expired. Those of disabled users and suspended
 * accounts count: they may come back.
 */
export interface LiveTokens {
  readonly count: number;
  /** How many of them never expire by themselves. */
  readonly withoutExpiry: number;
  /** When the last of the others expires; null if there is none. */
  readonly lastExpiry: Instant | null;
}

export const NO_LIVE_TOKENS: LiveTokens = { count: 0, withoutExpiry: 0, lastExpiry: null };

/** The earliest moment at which a key can retire without ending a token; null if waiting alone never helps. */
export function retirableAt(
  { state }: Pick<SigningKey, 'state'>,
  live: LiveTokens,
  now: Instant,
): Instant | null {
  if (state !== 'verify-only' || live.withoutExpiry > 0) return null;
  return live.lastExpiry ?? now;
}
