import type { AuditEvent } from '../audit/audit-event.ts';
import type { Result } from '../result.ts';
import type { Instant } from '../time/instant.ts';
import type { TokenFormat } from '../tokens/token-format.ts';
import type { KeyId, KeyState, SigningKey } from './signing-key.ts';

export interface KeyNotFound {
  readonly code: 'key_not_found';
}

/** The key is not in the state that the change starts from. */
export interface KeyStateConflict {
  readonly code: 'key_state_conflict';
  readonly state: KeyState;
}

/**
 * The key ring at rest. Each change and its audit event are one atomic step.
 * Implementations pass `signingKeyRepositoryContract`.
 */
export interface SigningKeyRepository {
  insert(key: SigningKey, event: AuditEvent): Promise<void>;

  /**
   * Inserts the key only if its format has none yet, however many nodes try at once.
   * False, without an event, where there was one.
   */
  insertFirst(key: SigningKey, event: AuditEvent): Promise<boolean>;

  findById(id: KeyId): Promise<SigningKey | undefined>;

  findActive(format: TokenFormat): Promise<SigningKey | undefined>;

  /** Every key in every state, oldest first. */
  list(): Promise<readonly SigningKey[]>;

  /** Makes a staged key its format's active one; the one that was active becomes verify-only in the same step. */
  activate(
    id: KeyId,
    at: Instant,
    event: AuditEvent,
  ): Promise<Result<SigningKey, KeyNotFound | KeyStateConflict>>;

  /**
   * Retires a verify-only key, waiting for tokens that are just being made under it: from then on no token
   * it signed is accepted.
   */
  retire(
    id: KeyId,
    at: Instant,
    event: AuditEvent,
  ): Promise<Result<SigningKey, KeyNotFound | KeyStateConflict>>;
}
