import type { Instant } from '../time/instant.ts';
import { type LiveTokens, retirableAt } from './live-tokens.ts';
import type { SigningKey } from './signing-key.ts';

/** A key with the tokens that depend on it. */
export interface KeyReport {
  readonly key: SigningKey;
  readonly live: LiveTokens;
  /** The earliest moment for it; null for a key that still has to sign, and for one whose tokens never expire. */
  readonly retirableAt: Instant | null;
  /** The moment of the report. */
  readonly at: Instant;
}

export function reportKey(key: SigningKey, live: LiveTokens, at: Instant): KeyReport {
  return { key, live, retirableAt: retirableAt(key, live, at), at };
}
