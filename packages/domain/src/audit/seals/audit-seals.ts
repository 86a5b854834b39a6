import type { Result } from '../../result.ts';
import type { KeysChanged, Witness } from '../../signing-keys/signing-key-repository.ts';
import type { Instant } from '../../time/instant.ts';
import type { AuditEvent } from '../audit-event.ts';
import type { AuditPosition, AuditSeal, IdRange, SealKey, StoredEvent } from './audit-seal.ts';

/** Committed events that are in no seal yet, and the seal that precedes them. */
export interface SealableBatch {
  /** The events of the seal: at least one, sorted by id. */
  readonly events: readonly StoredEvent[];
  readonly previous: AuditSeal | undefined;
  readonly throughId: number;
}

/** Facts about the events of the log that are not sealed. */
export interface UnsealedEvents {
  /** The greatest id that was assigned to an event, even if that event was not committed; 0 if there is none. */
  readonly lastId: number;
  /** Ids that are in no seal although a seal has greater ids. The transactions that use these ids may still commit. */
  readonly late: readonly IdRange[];
}

/**
 * Stores the seals of the audit log beside its events. Implementations pass `auditSealsContract`.
 */
export interface AuditSeals {
  /**
   * Seals up to `limit` committed events that are in no seal, and returns their number. Leaves no event out and seals
   * no event twice, whatever the order in which transactions commit. Only one process seals at a time, and other
   * processes wait. Never seals an event whose id the database has not assigned.
   */
  sealNext(limit: number, make: (batch: SealableBatch) => AuditSeal): Promise<number>;

  /** Returns up to `limit` seals of events after the position `after` of the audit log, in ascending order. */
  list(page: {
    readonly after: number;
    readonly limit: number;
    /** Whether to return only seals whose events were not pruned. */
    readonly unpruned?: boolean;
  }): Promise<readonly AuditSeal[]>;

  findLast(): Promise<AuditSeal | undefined>;

  /**
   * Returns the stored events with these ids, sorted by id, even if another program has changed them. If the domain
   * cannot represent a stored time or number, returns another value for it.
   */
  readEvents(ids: readonly IdRange[]): Promise<readonly StoredEvent[]>;

  /**
   * Returns up to `limit` ids of events in these ranges, as texts, because another program may have inserted an event
   * with an id that is not a safe integer.
   */
  findIds(ranges: readonly IdRange[], limit: number): Promise<readonly string[]>;

  findUnsealed(): Promise<UnsealedEvents>;

  /**
   * Lists how the tables of the log differ from their migrations, such as `audit_events has row-level security`. A
   * table that differs may hide rows from this program.
   */
  findTableChanges(): Promise<readonly string[]>;

  /**
   * Deletes the events of the seal whose last position is `last`, and stores that the seal is pruned. If the seal is
   * already pruned, returns false and stores no event.
   */
  prune(
    last: AuditPosition,
    pruned: { readonly at: Instant; readonly mac: string },
    event: AuditEvent,
  ): Promise<boolean>;

  findKey(): Promise<SealKey | undefined>;

  /**
   * Stores the seal key unless a seal key is stored already. `witness` is a signing key that is encrypted with the same
   * master key as the seal key. Returns an error if the witness is no longer in use, or was encrypted again since it
   * was read.
   */
  insertKey(key: SealKey, witness: Witness): Promise<Result<void, KeysChanged>>;
}

/** The cryptography of seals. Implementations pass `sealCryptographyContract`. */
export interface SealCryptography {
  /** Returns 32 random bytes. */
  createSecret(): Uint8Array;
  /** SHA-256 of the text in UTF-8, as base64url. */
  hash(text: string): string;
  /** HMAC-SHA-256, as base64url, under the key that HKDF-SHA-256 derives from the secret. */
  mac(secret: Uint8Array, text: string): string;
}
