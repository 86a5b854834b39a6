import type { Instant } from '../time/instant.ts';
import { type LiveTokens, retirableAt } from './live-tokens.ts';
import type { SigningKey } from './signing-key.ts';

/** A key with the tokens that depend on it. */
export interface KeyReport {
  readonly key: SigningKey;
  readonly live: LiveTokens;
  /** The earliest time to retire the key; null for an active or staged key, and if one of its tokens never expires. */
  readonly retirableAt: Instant | null;
  /** The time of the report. */
  readonly at: Instant;
}

export function reportKey(key: SigningKey, live: LiveTokens, at: Instant): KeyReport {
  return { key, live, retirableAt: retirableAt(key, live, at), at };
}
