import { formatInstant, formatInstantOrNull } from '@gatehouse/extension-kit/domain';
import type { ShiftNote } from './domain/index.ts';

/** A shift note as JSON: the body of its routes, and what `--json` prints. */
export function toShiftNoteDocument(shiftNote: ShiftNote) {
  return {
    id: shiftNote.id,
    organization_id: shiftNote.organizationId,
    text: shiftNote.text,
    severity: shiftNote.severity,
    due_on: shiftNote.dueOn,
    status: shiftNote.status,
    created_at: formatInstant(shiftNote.createdAt),
    closed_at: formatInstantOrNull(shiftNote.closedAt),
  };
}
