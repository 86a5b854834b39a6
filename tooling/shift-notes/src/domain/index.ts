import { closeShiftNote, createShiftNote } from './manage-shift-notes.ts';
import type { ShiftNotePorts } from './ports.ts';
import { getShiftNote, listShiftNotes } from './read-shift-notes.ts';

export type ShiftNoteUseCases = ReturnType<typeof createUseCases>;

export function createUseCases(ports: ShiftNotePorts) {
  return {
    listShiftNotes: listShiftNotes(ports),
    getShiftNote: getShiftNote(ports),
    createShiftNote: createShiftNote(ports),
    closeShiftNote: closeShiftNote(ports),
  };
}

export {
  type Day,
  parseDay,
  parseShiftNoteId,
  SEVERITIES,
  type Severity,
  SHIFT_NOTE_STATUSES,
  type ShiftNote,
  type ShiftNoteId,
  type ShiftNoteStatus,
} from './shift-note.ts';
export type { NewShiftNote, ShiftNoteQuery, ShiftNoteRepository } from './shift-note-repository.ts';
