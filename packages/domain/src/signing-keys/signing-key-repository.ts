import type { AuditEvent } from '../audit/audit-event.ts';
import type { Result } from '../result.ts';
import type { Instant } from '../time/instant.ts';
import type { Revocation } from '../tokens/token.ts';
import type { TokenFormat } from '../tokens/token-format.ts';
import type { LiveTokens } from './live-tokens.ts';
import type { KeyId, KeyState, SealedSecret, SigningKey } from './signing-key.ts';

export interface KeyNotFound {
  readonly code: 'key_not_found';
}

/** The key is not in the state that the change starts from. */
export interface KeyStateConflict {
  readonly code: 'key_state_conflict';
  readonly state: KeyState;
  /** The one from which it starts. */
  readonly needed: KeyState;
}

/** Retiring the key would end tokens that are still good, and nobody asked for that. */
export interface KeyInUse {
  readonly code: 'key_in_use';
  readonly liveTokens: number;
  /** When the last of them will have expired; null if some never do. */
  readonly retirableAt: Instant | null;
}

/** The ring is not what it was when its secrets were read. What was to be done can be done again. */
export interface KeysChanged {
  readonly code: 'keys_changed';
}

/**
 * A key in use whose secret was opened. As all keys in use are sealed under one master key, what was sealed
 * under the one that opened it fits the ring for as long as this secret is stored.
 */
export type Witness = Pick<SigningKey, 'id' | 'sealedSecret'>;

export interface RetiredKey {
  readonly key: SigningKey;
  readonly revokedTokens: number;
}

/** The secret that is stored of a key, and the one that is to take its place. */
export interface Resealing {
  readonly id: KeyId;
  readonly from: SealedSecret;
  readonly to: SealedSecret;
}

/**
 * The key ring at rest. Each change and its audit event are one atomic step.
 * Implementations pass `signingKeyRepositoryContract`.
 */
export interface SigningKeyRepository {
  /** Given a witness, inserts the key only if that is still in use, and sealed as it was. */
  insert(key: SigningKey, event: AuditEvent, witness?: Witness): Promise<Result<void, KeysChanged>>;

  /**
   * Inserts the key only if its format has none yet, however many nodes try at once: false, without an event,
   * where there was one. Without a witness no key may be in use.
   */
  insertFirst(key: SigningKey, event: AuditEvent, witness?: Witness): Promise<Result<boolean, KeysChanged>>;

  findById(id: KeyId): Promise<SigningKey | undefined>;

  findActive(format: TokenFormat): Promise<SigningKey | undefined>;

  /** Every key in every state, oldest first. */
  list(): Promise<readonly SigningKey[]>;

  /** The tokens that are live at this moment, of each key that has any. */
  countLiveTokens(at: Instant): Promise<ReadonlyMap<KeyId, LiveTokens>>;

  /** When one of the key's tokens that are live at this moment was last used; null if none ever was. */
  findLastUse(id: KeyId, at: Instant): Promise<Instant | null>;

  /** Makes a staged key its format's active one; the one that was active becomes verify-only in the same step. */
  activate(
    id: KeyId,
    at: Instant,
    event: AuditEvent,
  ): Promise<Result<SigningKey, KeyNotFound | KeyStateConflict>>;

  /**
   * Retires a verify-only key, waiting for tokens that are just being made under it: from then on no token
   * it signed is accepted. Those that are live keep it from retiring or, with a revocation, are revoked in
   * the same step, each with its event, however many there are.
   */
  retire(
    id: KeyId,
    at: Instant,
    revocation: Revocation | null,
    event: AuditEvent,
  ): Promise<Result<RetiredKey, KeyNotFound | KeyStateConflict | KeyInUse>>;

  /**
   * Replaces secrets, all or none, where each key in use is listed with the secret that is stored of it.
   * One that stays as it is has the same for `to`.
   */
  reseal(resealings: readonly Resealing[], events: readonly AuditEvent[]): Promise<Result<void, KeysChanged>>;
}
