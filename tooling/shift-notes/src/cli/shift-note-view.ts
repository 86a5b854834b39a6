import { CREATED, shortTime, type View } from '@gatehouse/extension-kit/cli';
import type { ShiftNote } from '../domain/index.ts';
import { toShiftNoteDocument } from '../shift-note-document.ts';

export const shiftNoteView: View<ShiftNote> = {
  document: toShiftNoteDocument,
  empty: 'There are no shift notes yet. Create one with `gatehouse shift-note create`.',
  columns: [
    { title: 'ID', value: ({ id }) => String(id), essential: true },
    { title: 'TEXT', value: ({ text }) => text, essential: true, flexible: true },
    { title: 'SEVERITY', value: ({ severity }) => severity, essential: true },
    { title: 'STATUS', value: ({ status }) => status, essential: true },
    { title: 'DUE ON', value: ({ dueOn }) => dueOn ?? '-' },
    CREATED,
  ],
  details: [{ title: 'CLOSED', value: ({ closedAt }) => shortTime(closedAt) }],
};
