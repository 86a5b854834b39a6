import type { Instant } from '../time/instant.ts';
import type { SigningKey } from './signing-key.ts';
import type { LiveTokens, SigningKeyRepository } from './signing-key-repository.ts';

export const NO_LIVE_TOKENS: LiveTokens = { count: 0, withoutExpiry: 0, lastExpiry: null };

/** The earliest time to retire a key without rejecting a live token; null if a token without an expiry prevents it. */
export function retirableAt({ state }: Pick<SigningKey, 'state'>, live: LiveTokens, now: Instant) {
  if (state !== 'verify-only' || live.withoutExpiry > 0) return null;
  return live.lastExpiry ?? now;
}

/** A key with the tokens that depend on it. */
export interface KeyReport {
  readonly key: SigningKey;
  readonly live: LiveTokens;
  /** The earliest time to retire the key; null for an active or staged key, and if one of its tokens never expires. */
  readonly retirableAt: Instant | null;
  /** The time of the report. */
  readonly at: Instant;
}

/** Lists the keys of all states, oldest first, with the tokens that depend on each. */
export async function reportKeys(signingKeys: SigningKeyRepository, at: Instant) {
  const [keys, liveTokens] = [await signingKeys.list(), await signingKeys.countLiveTokens(at)];
  return keys.map((key) => {
    const live = liveTokens.get(key.id) ?? NO_LIVE_TOKENS;
    return { key, live, retirableAt: retirableAt(key, live, at), at };
  });
}
