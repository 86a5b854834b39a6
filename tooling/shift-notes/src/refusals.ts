import { defineRefusals } from '@gatehouse/extension-kit';

export const REFUSALS = defineRefusals({
  shift_note_not_found: { status: 404, title: 'There is no such shift note.', exit: 'notFound' },
});
