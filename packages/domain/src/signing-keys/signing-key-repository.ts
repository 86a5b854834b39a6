import type { AuditEvent } from '../audit/audit-event.ts';
import type { Result } from '../result.ts';
import type { Instant } from '../time/instant.ts';
import type { Revocation, TokenFormat } from '../tokens/token.ts';
import type { KeyId, KeyState, SealedSecret, SigningKey } from './signing-key.ts';

export type KeyNotFound = { readonly code: 'key_not_found' };

/** The key is not in the state that the change requires. */
export interface KeyStateConflict {
  readonly code: 'key_state_conflict';
  readonly state: KeyState;
  /** The required state. */
  readonly needed: KeyState;
}

/** Retiring the key would reject live tokens, and their revocation was not requested. */
export interface KeyInUse {
  readonly code: 'key_in_use';
  readonly liveTokens: number;
  /** The expiry of the last of these tokens; null if one never expires. */
  readonly retirableAt: Instant | null;
}

/** The keys have changed since their secrets were read. The caller can try the operation again. */
export type KeysChanged = { readonly code: 'keys_changed' };

/**
 * A key in use whose secret was decrypted. All keys in use are encrypted with one master key. So while the secret of the
 * witness is stored unchanged, the master key that decrypted the secret is still in use.
 */
export type Witness = Pick<SigningKey, 'id' | 'sealedSecret'>;

export interface RetiredKey {
  readonly key: SigningKey;
  readonly revokedTokens: number;
}

/**
 * The tokens of a key that are neither revoked nor expired. Tokens of disabled users and suspended accounts count,
 * because the user can be enabled and the account resumed.
 */
export interface LiveTokens {
  readonly count: number;
  /** The number of tokens without an expiry. */
  readonly withoutExpiry: number;
  /** The expiry of the last of the other tokens; null if there are none. */
  readonly lastExpiry: Instant | null;
}

/** The stored secret of a signing key or of the key of the audit seals, and the one that replaces it. */
interface Resealing {
  readonly id: KeyId;
  readonly from: SealedSecret;
  readonly to: SealedSecret;
}

/**
 * Stores signing keys. Each change and its audit event are one atomic step.
 * Implementations pass `signingKeyRepositoryContract`.
 */
export interface SigningKeyRepository {
  /** Inserts the key. With a witness, refuses if the witness is no longer in use or has another secret. */
  insert(key: SigningKey, event: AuditEvent, witness?: Witness): Promise<Result<void, KeysChanged>>;

  /**
   * Inserts the key only if its format has no key yet, even if many nodes try at once. Otherwise returns false and records
   * no event. Without a witness, no key of any format may be in use.
   */
  insertFirst(key: SigningKey, event: AuditEvent, witness?: Witness): Promise<Result<boolean, KeysChanged>>;

  findById(id: KeyId): Promise<SigningKey | undefined>;

  findActive(format: TokenFormat): Promise<SigningKey | undefined>;

  /** Lists the keys of all states, oldest first. */
  list(): Promise<readonly SigningKey[]>;

  /** Returns the tokens that are live at this time, for each key that has any. */
  countLiveTokens(at: Instant): Promise<ReadonlyMap<KeyId, LiveTokens>>;

  /** Returns the last use of any of the key's tokens that are live at this time; null if none was ever used. */
  findLastUse(id: KeyId, at: Instant): Promise<Instant | null>;

  /** Activates a staged key. The key of the same format that was active before becomes verify-only in the same step. */
  activate(
    id: KeyId,
    at: Instant,
    event: AuditEvent,
  ): Promise<Result<SigningKey, KeyNotFound | KeyStateConflict>>;

  /**
   * Retires a verify-only key after waiting for transactions that insert tokens of the key. From then on none of its tokens
   * is accepted. Live tokens prevent this. If a revocation is given, they are revoked in the same step instead, each with
   * its event.
   */
  retire(
    id: KeyId,
    at: Instant,
    revocation: Revocation | null,
    event: AuditEvent,
  ): Promise<Result<RetiredKey, KeyNotFound | KeyStateConflict | KeyInUse>>;

  /**
   * Replaces the secrets of all keys. `resealings` must list exactly the keys in use, and the key of the audit seals if there
   * is one, with their stored secrets. Otherwise replaces none. A key that stays as it is has the same secret in `from` and
   * `to`.
   */
  reseal(resealings: readonly Resealing[], events: readonly AuditEvent[]): Promise<Result<void, KeysChanged>>;
}

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
