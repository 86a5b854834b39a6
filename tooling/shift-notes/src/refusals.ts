import { defineRefusals } from '@gatehouse/extension-kit';

export const REFUSALS = defineRefusals({
  shift_note_not_found: { status: 404, title: 'There is no such shift note.', exit: 'notFound' },
  shift_note_token_endless: {
    status: 403,
    title: 'A token that reads shift notes must expire.',
    exit: 'notAllowed',
  },
});
