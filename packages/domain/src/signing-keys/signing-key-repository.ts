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

/** The key is not retired, because it signed live tokens, and the caller did not ask to revoke them. */
export interface KeyInUse {
  readonly code: 'key_in_use';
  readonly liveTokens: number;
  /** The latest expiry of these tokens; null if one of them never expires. */
  readonly retirableAt: Instant | null;
}

/** The error if the keys were changed after their secrets were read. The caller can try again. */
export type KeysChanged = { readonly code: 'keys_changed' };

/**
 * A key in use whose secret was decrypted with the current master key. All keys in use are encrypted with the same
 * master key. So while the encrypted secret of the witness is unchanged in the database, this master key is still the
 * current one.
 */
export type Witness = Pick<SigningKey, 'id' | 'sealedSecret'>;

export interface RetiredKey {
  readonly key: SigningKey;
  readonly revokedTokens: number;
}

/**
 * Facts about the tokens of a key that are neither revoked nor expired. Tokens of disabled users and suspended accounts
 * count as live, because the user can be enabled and the account can be resumed.
 */
export interface LiveTokens {
  readonly count: number;
  /** The number of live tokens that never expire. */
  readonly withoutExpiry: number;
  /** The latest expiry of the live tokens that expire; null if there are none. */
  readonly lastExpiry: Instant | null;
}

/**
 * The stored secret of a signing key or of the key of the audit seals (`from`), and the secret that replaces it (`to`).
 */
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
  /**
   * Inserts the key. A witness is a key that was decrypted with the current master key. If a witness is given, refuses
   * if the witness is no longer in use or its stored secret has changed.
   */
  insert(key: SigningKey, event: AuditEvent, witness?: Witness): Promise<Result<void, KeysChanged>>;

  /**
   * Inserts the key only if its format has no key yet. Of many nodes that try at the same time, only one inserts its
   * key. If the format has a key, returns false and stores no event. `witness` has the same meaning as for `insert`. If
   * no witness is given, refuses if any key of any format is in use.
   */
  insertFirst(key: SigningKey, event: AuditEvent, witness?: Witness): Promise<Result<boolean, KeysChanged>>;

  findById(id: KeyId): Promise<SigningKey | undefined>;

  findActive(format: TokenFormat): Promise<SigningKey | undefined>;

  /** Lists the keys of all states, oldest first. */
  list(): Promise<readonly SigningKey[]>;

  /** Counts the tokens that are live at this time, for each key. A key without live tokens is absent from the map. */
  countLiveTokens(at: Instant): Promise<ReadonlyMap<KeyId, LiveTokens>>;

  /**
   * Returns the time of the last use of the key's tokens that are live at this time; null if none of them was ever
   * used.
   */
  findLastUse(id: KeyId, at: Instant): Promise<Instant | null>;

  /** Activates a staged key. The key of the same format that was active before becomes verify-only in the same step. */
  activate(
    id: KeyId,
    at: Instant,
    event: AuditEvent,
  ): Promise<Result<SigningKey, KeyNotFound | KeyStateConflict>>;

  /**
   * Retires a verify-only key. Before that, waits for transactions that insert tokens of the key. After the call, none
   * of the key's tokens is accepted. If the key has live tokens and `revocation` is null, refuses with `key_in_use`. If
   * `revocation` is given, revokes the live tokens in the same step, each with its own event.
   */
  retire(
    id: KeyId,
    at: Instant,
    revocation: Revocation | null,
    event: AuditEvent,
  ): Promise<Result<RetiredKey, KeyNotFound | KeyStateConflict | KeyInUse>>;

  /**
   * Replaces the secrets of all keys in use and of the key of the audit seals, if there is one. `resealings` must list
   * exactly these keys with their stored secrets. Otherwise no secret is replaced. For a key whose secret does not
   * change, `from` and `to` are the same.
   */
  reseal(resealings: readonly Resealing[], events: readonly AuditEvent[]): Promise<Result<void, KeysChanged>>;
}

export const NO_LIVE_TOKENS: LiveTokens = { count: 0, withoutExpiry: 0, lastExpiry: null };

/**
 * Returns the earliest time at which a key can be retired without rejecting a live token. Returns null if the key is
 * not verify-only, or if one of its live tokens never expires.
 */
export function retirableAt({ state }: Pick<SigningKey, 'state'>, live: LiveTokens, now: Instant) {
  if (state !== 'verify-only' || live.withoutExpiry > 0) return null;
  return live.lastExpiry ?? now;
}

/** A key, and facts about the live tokens that the key signed. */
export interface KeyReport {
  readonly key: SigningKey;
  readonly live: LiveTokens;
  /** The earliest time to retire the key; null for an active or staged key, and if one of its tokens never expires. */
  readonly retirableAt: Instant | null;
  /** The time of the report. */
  readonly at: Instant;
}

/** Lists the keys of all states, oldest first, with facts about the live tokens that each key signed. */
export async function reportKeys(signingKeys: SigningKeyRepository, at: Instant) {
  const [keys, liveTokens] = [await signingKeys.list(), await signingKeys.countLiveTokens(at)];
  return keys.map((key) => {
    const live = liveTokens.get(key.id) ?? NO_LIVE_TOKENS;
    return { key, live, retirableAt: retirableAt(key, live, at), at };
  });
}
