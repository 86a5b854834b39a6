import type { Brand } from '../../identifiers.ts';
import type { KeyId, SealedSecret } from '../../signing-keys/signing-key.ts';
import type { Instant } from '../../time/instant.ts';
import type { AuditEvent } from '../audit-event.ts';
import type { AuditEventId } from '../audit-log.ts';

/** The number of an event among all sealed events: 1, 2, 3 and so on without a gap. The number of an event never changes. */
export type AuditPosition = Brand<number, 'AuditPosition'>;

/** Ids from the first to the last one, both included. */
export type IdRange = readonly [first: number, last: number];

/** An event as the log has it. */
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
 * Proves how a batch of events was when it was sealed. The events of one seal get their positions in the order of their ids. An
 * event that is committed after events with greater ids were sealed is in a later seal.
 */
export interface AuditSeal {
  readonly first: AuditPosition;
  readonly last: AuditPosition;
  /** The ids of the events, ascending. The first id has the position `first`. */
  readonly ids: readonly IdRange[];
  /** The seal was made after a search for all ids up to this one. */
  readonly throughId: number;
  /** SHA-256 of the events' lines (see `eventLine`), each with its line feed. */
  readonly digest: string;
  /** The first characters of the SHA-256 of each line, one line after the other. They show which line was changed. */
  readonly lineHashes: string;
  readonly sealedAt: Instant;
  /** The MAC of the previous seal; empty for the first seal. */
  readonly previous: string;
  /** HMAC-SHA-256 over all members above. */
  readonly mac: string;
  /** Facts about the pruning of the events; null while the log has the events. */
  readonly pruned: Pruned | null;
}

/** The end of a seal, as in the last line of an export: the seal's last position and MAC. */
export interface ExportAnchor {
  readonly last: number;
  readonly mac: string;
}

/** The secret from which the key of all MACs is derived, encrypted under the master key. */
export interface SealKey {
  readonly id: KeyId;
  readonly sealedSecret: SealedSecret;
}
