import type { Brand } from '../../identifiers.ts';
import type { KeyId, SealedSecret } from '../../signing-keys/signing-key.ts';
import type { Instant } from '../../time/instant.ts';
import type { AuditEvent } from '../audit-event.ts';
import type { AuditEventId } from '../audit-log.ts';

/**
 * The number of an event among all sealed events: 1, 2, 3 and so on without a gap. The number of an event never
 * changes.
 */
export type AuditPosition = Brand<number, 'AuditPosition'>;

/** Ids from the first to the last one, both included. */
export type IdRange = readonly [first: number, last: number];

/** An event that was read from the log, with its id. */
export interface StoredEvent {
  readonly id: AuditEventId;
  readonly event: AuditEvent;
}

/** Proof that a seal's events were deleted with the seal key. */
interface Pruned {
  readonly at: Instant;
  /** The MAC over `at` and the seal's own MAC. */
  readonly mac: string;
}

/**
 * A record that proves the content of a batch of events at the time of the sealing. The events of one seal get their
 * positions in the order of their ids. An event that is committed after events with greater ids were sealed is in a
 * later seal.
 */
export interface AuditSeal {
  readonly first: AuditPosition;
  readonly last: AuditPosition;
  /** The ids of the events, ascending. The first id has the position `first`. */
  readonly ids: readonly IdRange[];
  /** Before the seal was made, committed events were searched for up to this id. */
  readonly throughId: number;
  /** SHA-256 of the events' lines (see `eventLine`), each with its line feed. */
  readonly digest: string;
  /**
   * The first characters of the SHA-256 hashes of all lines, joined without separators. They show which line was
   * changed.
   */
  readonly lineHashes: string;
  readonly sealedAt: Instant;
  /** The MAC of the previous seal; empty for the first seal. */
  readonly previous: string;
  /** HMAC-SHA-256 over all members above. */
  readonly mac: string;
  /** Facts about the pruning of the events; null while the log has the events. */
  readonly pruned: Pruned | null;
}

/** Identifies a seal by its last position and its MAC. The last line of an export has both. */
export interface ExportAnchor {
  readonly last: number;
  readonly mac: string;
}

/** The secret from which the key for the MACs of all seals is derived. The secret is encrypted with the master key. */
export interface SealKey {
  readonly id: KeyId;
  readonly sealedSecret: SealedSecret;
}
