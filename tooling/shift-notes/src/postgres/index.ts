import { definePostgresLayer } from '@gatehouse/extension-kit/postgres';
import { migrations } from './migrations/index.ts';
import { createPostgresShiftNoteRepository } from './shift-note-repository.ts';

export const postgresLayer = definePostgresLayer({
  migrations,
  belongings: [
    {
      table: 'shift_notes.shift_notes',
      belongsTo: 'organization',
      column: 'organization_id',
      one: 'shift note',
      several: 'shift notes',
    },
  ],
  createStore: createPostgresShiftNoteRepository,
});
