import { defineExtension } from '@gatehouse/extension-kit';
import { MANAGE_SHIFT_NOTES, READ_SHIFT_NOTES } from './domain/rules.ts';
import { readsForEver } from './domain/token-guard.ts';
import { REFUSALS } from './refusals.ts';

/** The shift notes of organizations. */
export const shiftNotes = defineExtension({
  name: 'shift-notes',
  scopes: {
    'shift-notes:read': {
      label: 'Read shift notes',
      allows: 'The shift notes of the organizations that its owner may read.',
    },
  },
  rules: [READ_SHIFT_NOTES, MANAGE_SHIFT_NOTES],
  actions: {
    'shift_note.created': 'created the shift note',
    'shift_note.closed': 'closed the shift note',
  },
  refusals: REFUSALS,
  command: { name: 'shift-note', summary: 'Manage the shift notes of organizations' },
  domain: () => import('./domain/index.ts'),
  postgres: async () => (await import('./postgres/index.ts')).postgresLayer,
  cli: () => import('./cli/index.ts'),
  http: () => import('./http/index.ts'),
  reactions: [
    {
      name: 'post-to-chat',
      on: ['shift_note.created'],
      handle: async (...given) => (await import('./reactions/post-to-chat.ts')).postToChat(...given),
    },
  ],
  guards: [
    {
      on: 'token.create',
      refusals: [REFUSALS.shift_note_token_endless],
      check: (request) => (readsForEver(request) ? REFUSALS.shift_note_token_endless : undefined),
    },
  ],
  testing: () => import('../testing/index.ts'),
});
