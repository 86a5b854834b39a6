import { defineResource } from '@gatehouse/domain/resources';

/** A resource of an extension. */
export const SHIFT_NOTES = defineResource({
  name: 'shift-notes',
  scopes: { 'shift-notes:read': { label: 'Read shift notes', allows: 'Reads the notes of a shift.' } },
  rules: [],
  actions: { 'shift_note.closed': 'closed the shift note' },
});
