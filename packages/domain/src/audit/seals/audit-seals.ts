import type { Result } from '../../result.ts';
import type { KeysChanged, Witness } from '../../signing-keys/signing-key-repository.ts';
import type { Instant } from '../../time/instant.ts';
import type { AuditEvent } from '../audit-event.ts';
import type { AuditPosition, AuditSeal, IdRange, SealKey, StoredEvent } from './audit-seal.ts';

/** Committed events that no seal has, and the seal before them. */
export interface SealableBatch {
  /** The events of the seal: at least one, sorted by id. */
  readonly events: readonly StoredEvent[];
  readonly previous: AuditSeal | undefined;
  readonly throughId: number;
}

/** The events of the log that are not sealed. */
export interface UnsealedEvents {
  /** The greatest id that an event was given, committed or not; 0 if there is none. */
  readonly lastId: number;
  /** Ids, up to the ids of the last seal, whose events may still be committed. */
  readonly late: readonly IdRange[];
}

/**
 * Stores the seals of the audit log beside its events. Implementations pass `auditSealsContract`.
 */
export interface AuditSeals {
  /**
   * Seals up to `limit` committed events that are in no seal, and returns their number. Leaves no event out and seals no event
   * twice, in whatever order transactions commit. One process seals at a time, and others wait. Never seals an event whose id
   * the log has not given.
   */
  sealNext(limit: number, make: (batch: SealableBatch) => AuditSeal): Promise<number>;

  /** Returns the seals of the positions after this one, in order. */
  list(page: {
    readonly after: number;
    readonly limit: number;
    /** Whether to return only seals whose events were not pruned. */
    readonly unpruned?: boolean;
  }): Promise<readonly AuditSeal[]>;

  findLast(): Promise<AuditSeal | undefined>;

  /**
   * Returns the events of these ids as they are stored, even if another client changed them, sorted by id. A time or number
   * that the domain cannot represent becomes a different one.
   */
  readEvents(ids: readonly IdRange[]): Promise<readonly StoredEvent[]>;

  /** Returns up to `limit` ids of events in these ranges, including ids that are not safe integers. */
  findIds(ranges: readonly IdRange[], limit: number): Promise<readonly string[]>;

  findUnsealed(): Promise<UnsealedEvents>;

  /**
   * Lists how the tables of the log differ from their migrations, such as `audit_events has row-level security`. A table that
   * differs may hide rows from this program.
   */
  findTableChanges(): Promise<readonly string[]>;

  /**
   * Deletes the events of the seal that ends at this position, and records that it is pruned. Returns false, and
   * records no event, if it was pruned before.
   */
  prune(
    last: AuditPosition,
    pruned: { readonly at: Instant; readonly mac: string },
    event: AuditEvent,
  ): Promise<boolean>;

  findKey(): Promise<SealKey | undefined>;

  /**
   * Stores the seal key unless there is one. Refuses if the witness, a signing key, is no longer in use or has another secret.
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
