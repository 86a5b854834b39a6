import { formatInstant, formatInstantOrNull } from '@gatehouse/extension-kit/domain';
import { handleRoute, pageResult } from '@gatehouse/extension-kit/http';
import type { ShiftNote, ShiftNoteUseCases } from '../domain/index.ts';
import { getShiftNote, listShiftNotes } from './routes.ts';

export const routes = [listShiftNotes, getShiftNote];

export function serve(useCases: ShiftNoteUseCases) {
  return [
    handleRoute(listShiftNotes, {
      async handle({ caller, params, query: { limit, cursor, status } }) {
        const page = { organizationId: params.organization, status, after: cursor, limit: limit + 1 };
        return pageResult(await useCases.listShiftNotes(caller, page), limit, ({ id }) => id);
      },
      toBody: ({ things, nextCursor }) => ({ items: things.map(toBody), next_cursor: nextCursor }),
    }),
    handleRoute(getShiftNote, {
      handle: ({ caller, params: { organization, id } }) =>
        useCases.getShiftNote(caller, { organizationId: organization, id }),
      toBody,
    }),
  ];
}

function toBody(shiftNote: ShiftNote) {
  return {
    id: shiftNote.id,
    organization_id: shiftNote.organizationId,
    text: shiftNote.text,
    severity: shiftNote.severity,
    due_on: shiftNote.dueOn,
    status: shiftNote.status,
    created_at: formatInstant(shiftNote.createdAt),
    closed_at: formatInstantOrNull(shiftNote.closedAt),
  };
}
