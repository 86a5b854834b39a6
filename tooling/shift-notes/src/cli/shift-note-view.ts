import { CREATED, type View } from '@gatehouse/extension-kit/cli';
import { formatInstant, formatInstantOrNull } from '@gatehouse/extension-kit/domain';
import type { ShiftNote } from '../domain/index.ts';

export const shiftNoteView: View<ShiftNote> = {
  document: (note) => ({
    id: note.id,
    organization_id: note.organizationId,
    text: note.text,
    severity: note.severity,
    due_on: note.dueOn,
    status: note.status,
    created_at: formatInstant(note.createdAt),
    closed_at: formatInstantOrNull(note.closedAt),
  }),
  empty: 'There are no shift notes yet. Create one with `gatehouse shift-note create`.',
  columns: [
    { title: 'ID', value: ({ id }) => String(id), essential: true },
    { title: 'TEXT', value: ({ text }) => text, essential: true, flexible: true },
    { title: 'SEVERITY', value: ({ severity }) => severity, essential: true },
    { title: 'STATUS', value: ({ status }) => status, essential: true },
    { title: 'DUE ON', value: ({ dueOn }) => dueOn ?? '-' },
    CREATED,
  ],
};
