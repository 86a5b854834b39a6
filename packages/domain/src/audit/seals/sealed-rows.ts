import type { AuditPosition, AuditSeal, StoredEvent } from './audit-seal.ts';
import type { AuditSeals } from './audit-seals.ts';
import { idsIn } from './id-ranges.ts';
import { eventLine } from './lines.ts';

/** The event that the log has at a position now. */
export interface SealedRow {
  readonly position: AuditPosition;
  readonly id: number;
  /** The event in the log; undefined if the event is missing. */
  readonly event: StoredEvent | undefined;
  readonly line: string | undefined;
  /** Whether the log has another event with this id, although its primary key does not allow it. */
  readonly isRepeated: boolean;
}

/**
 * Reads the event at each position of the seal. If several events have the same id, only the event that is read first
 * counts.
 */
export async function readRows(
  auditSeals: Pick<AuditSeals, 'readEvents'>,
  seal: Pick<AuditSeal, 'first' | 'ids'>,
): Promise<readonly SealedRow[]> {
  const stored = new Map<number, StoredEvent>();
  const copies = new Set<number>();
  for (const event of await auditSeals.readEvents(seal.ids)) {
    const id = Number(event.id);
    if (stored.has(id)) copies.add(id);
    else stored.set(id, event);
  }
  return [...idsIn(seal.ids)].map((id, index) => {
    const position = (seal.first + index) as AuditPosition;
    const event = stored.get(id);
    return { position, id, event, line: event && eventLine(position, event), isRepeated: copies.has(id) };
  });
}
