import { CREATED, type View } from '@gatehouse/extension-kit/cli';
import { formatInstant, formatInstantOrNull } from '@gatehouse/extension-kit/domain';
import type { ShiftNote } from '../domain/index.ts';

export const shiftNoteView: View<ShiftNote> = {
  document: (shiftNote) => ({
    id: shiftNote.id,
    organization_id: shiftNote.organizationId,
    text: shiftNote.text,
    severity: shiftNote.severity,
    due_on: shiftNote.dueOn,
    status: shiftNote.status,
    created_at: formatInstant(shiftNote.createdAt),
    closed_at: formatInstantOrNull(shiftNote.closedAt),
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
