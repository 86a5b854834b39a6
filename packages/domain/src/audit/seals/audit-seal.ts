import type { Brand } from '../../identifiers.ts';
import type { KeyId, SealedSecret } from '../../signing-keys/signing-key.ts';
import type { Instant } from '../../time/instant.ts';
import type { AuditEvent } from '../audit-event.ts';
import type { AuditEventId } from '../audit-log.ts';

/** The place of an event among all that are sealed: 1, 2, 3 and so on without a gap. It never changes. */
export type AuditPosition = Brand<number, 'AuditPosition'>;

/** Ids from the first to the last one, both included. */
export type IdRange = readonly [first: number, last: number];

/** An event as the log has it. */
export interface StoredEvent {
  readonly id: AuditEventId;
  readonly event: AuditEvent;
}

/** Proof that a seal's events were deleted by those who have the seal key. */
interface Pruned {
  readonly at: Instant;
  /** Over `at` and the seal's own MAC. */
  readonly mac: string;
}

/**
 * Says what a batch of events was when it was sealed. Events get their positions in the order of their ids, within
 * one seal: an event that is committed late, after greater ids were sealed, is in a later seal.
 */
export interface AuditSeal {
  readonly first: AuditPosition;
  readonly last: AuditPosition;
  /** The events' ids, ascending: the first one has the position `first`. */
  readonly ids: readonly IdRange[];
  /** All ids up to this one have been looked for. */
  readonly throughId: number;
  /** SHA-256 of the events' lines (see `eventLine`), each with its line feed. */
  readonly digest: string;
  /** The beginning of each line's SHA-256, one after the other: they tell which of the lines differs. */
  readonly lineHashes: string;
  readonly sealedAt: Instant;
  /** The MAC of the seal before; empty for the first seal. */
  readonly previous: string;
  /** HMAC-SHA-256 over all of the above. */
  readonly mac: string;
  /** Null while the log has the events. */
  readonly pruned: Pruned | null;
}

/** The secret from which the key of the MACs is derived, encrypted under the master key. There is one. */
export interface SealKey {
  readonly id: KeyId;
  readonly sealedSecret: SealedSecret;
}
