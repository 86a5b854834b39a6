import {
  A_NUMBER,
  type CommandCaller,
  defineChange,
  defineItem,
  defineList,
  ORGANIZATION_ID,
  pageByPage,
  parserOf,
  type TypedId,
} from '@gatehouse/extension-kit/cli';
import { ok, parseOrganizationId } from '@gatehouse/extension-kit/domain';
import {
  parseDay,
  parseShiftNoteId,
  SEVERITIES,
  SHIFT_NOTE_STATUSES,
  type ShiftNote,
  type ShiftNoteUseCases,
} from '../domain/index.ts';
import { REFUSALS } from '../refusals.ts';
import { shiftNoteView } from './shift-note-view.ts';

const ORGANIZATION = { description: "The organization's id", parser: ORGANIZATION_ID };
const ID = {
  description: "The shift note's id",
  parser: parserOf(parseShiftNoteId, `a shift note's id: ${A_NUMBER}`),
};
const READER = { description: "Look only at the shift notes of this admin's account" };

const create = defineChange({
  verb: 'create',
  summary: 'Create a shift note and print its id',
  arguments: { organization: ORGANIZATION },
  options: {
    text: { value: 'text', description: 'What it says', required: true },
    severity: { value: 'severity', description: 'How urgent it is (default: info)', choices: SEVERITIES },
    dueOn: {
      value: 'day',
      description: 'The day until which it should be done, such as 2027-01-31',
      parser: parserOf(parseDay, 'a day such as 2027-01-31'),
    },
  },
  as: { description: 'The admin who creates it (default: the operator)' },
  examples: ['gatehouse shift-note create 42 --text "Press 4 leaks" --severity warning --due-on 2027-01-31'],
  refusals: REFUSALS,
  run: (
    { createShiftNote }: ShiftNoteUseCases,
    caller,
    { organization: organizationId, text, severity = 'info', dueOn = null },
  ) => createShiftNote(caller, { organizationId, text, severity, dueOn }),
  note: ({ organizationId }) => `Created a shift note for organization ${organizationId}. Its id:`,
  bare: ({ id }) => String(id),
  document: shiftNoteView.document,
});

const list = defineList({
  verb: 'list',
  summary: 'List the shift notes of an organization, oldest first',
  arguments: { organization: ORGANIZATION },
  options: {
    status: {
      value: 'status',
      description: 'List shift notes with this status',
      choices: SHIFT_NOTE_STATUSES,
      column: 'STATUS',
    },
  },
  as: READER,
  examples: ['gatehouse shift-note list 42 --status open'],
  view: shiftNoteView,
  run: ({ listShiftNotes }: ShiftNoteUseCases, caller, { organization: organizationId, status }) =>
    pageByPage((last: ShiftNote | undefined, limit) =>
      listShiftNotes(caller, { organizationId, status, after: last?.id, limit }),
    ),
});

const show = defineItem({
  verb: 'show',
  summary: 'Show a shift note',
  arguments: { organization: ORGANIZATION, id: ID },
  as: READER,
  examples: ['gatehouse shift-note show 42 7'],
  view: shiftNoteView,
  run: ({ getShiftNote }: ShiftNoteUseCases, caller, { organization: organizationId, id }) =>
    getShiftNote(caller, { organizationId, id }),
});

const close = defineChange({
  verb: 'close',
  summary: 'Close a shift note',
  arguments: { organization: ORGANIZATION, id: ID },
  as: { description: 'The admin who closes it (default: the operator)' },
  examples: ['gatehouse shift-note close 42 7'],
  refusals: REFUSALS,
  run: ({ closeShiftNote }: ShiftNoteUseCases, caller, { organization: organizationId, id }) =>
    closeShiftNote(caller, { organizationId, id }),
  note: ({ already }, { id }) =>
    already ? `Shift note ${id} is already closed; nothing changed.` : `Closed shift note ${id}.`,
  document: ({ shiftNote }) => shiftNoteView.document(shiftNote),
});

export const commands = [create, list, show, close];

/** How many shift notes of an organization the completion of an id reads. */
const MAX_LISTED = 1000;

/** Completes the ids of the shift notes of the organization that is named before. */
export async function suggestIds(
  { listShiftNotes }: ShiftNoteUseCases,
  caller: CommandCaller,
  { given: { organization = '' } }: TypedId,
) {
  const organizationId = parseOrganizationId(organization);
  const found = await listShiftNotes(caller, { organizationId, limit: MAX_LISTED });
  return found.ok ? ok(found.value.map(({ id, text }) => ({ value: String(id), description: text }))) : found;
}
