import type { AuditPosition, AuditSeal, StoredEvent } from './audit-seal.ts';
import type { AuditSeals } from './audit-seals.ts';
import { idsIn } from './id-ranges.ts';
import { eventLine } from './lines.ts';

/** What the log has at a position now. */
export interface SealedRow {
  readonly position: AuditPosition;
  readonly id: number;
  /** Undefined if the event is not there. */
  readonly event: StoredEvent | undefined;
  readonly line: string | undefined;
}

/** Reads what the log has at each position of the seal. */
export async function readRows(
  auditSeals: Pick<AuditSeals, 'readEvents'>,
  seal: Pick<AuditSeal, 'first' | 'ids'>,
): Promise<readonly SealedRow[]> {
  const stored = new Map((await auditSeals.readEvents(seal.ids)).map((event) => [Number(event.id), event]));
  return [...idsIn(seal.ids)].map((id, index) => {
    const position = (seal.first + index) as AuditPosition;
    const event = stored.get(id);
    return { position, id, event, line: event && eventLine(position, event) };
  });
}
