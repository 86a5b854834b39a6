import { handleRoute, pageResult } from '@gatehouse/extension-kit/http';
import type { ShiftNoteUseCases } from '../domain/index.ts';
import { toShiftNoteDocument } from '../shift-note-document.ts';
import { getShiftNote, listShiftNotes } from './routes.ts';

export const routes = [listShiftNotes, getShiftNote];

export function serve(useCases: ShiftNoteUseCases) {
  return [
    handleRoute(listShiftNotes, {
      async handle({ caller, params, query: { limit, cursor, status } }) {
        const page = { organizationId: params.organization, status, after: cursor, limit: limit + 1 };
        return pageResult(await useCases.listShiftNotes(caller, page), limit, ({ id }) => id);
      },
      toBody: ({ things, nextCursor }) => ({
        items: things.map(toShiftNoteDocument),
        next_cursor: nextCursor,
      }),
    }),
    handleRoute(getShiftNote, {
      handle: ({ caller, params: { organization, id } }) =>
        useCases.getShiftNote(caller, { organizationId: organization, id }),
      toBody: toShiftNoteDocument,
    }),
  ];
}
