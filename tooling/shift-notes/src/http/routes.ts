import {
  defineRoute,
  named,
  organizationId,
  PRIVATE,
  pageOf,
  pageQuery,
  pathId,
  resourceId,
  time,
} from '@gatehouse/extension-kit/http';
import { z } from 'zod';
import { parseShiftNoteId, SEVERITIES, SHIFT_NOTE_STATUSES } from '../domain/index.ts';
import { READ_SHIFT_NOTES } from '../domain/rules.ts';

const shiftNote = named(
  'ShiftNote',
  z.strictObject({
    id: resourceId,
    organization_id: resourceId,
    text: z.string(),
    severity: z.enum(SEVERITIES),
    due_on: z.iso.date().nullable(),
    status: z.enum(SHIFT_NOTE_STATUSES),
    created_at: time,
    closed_at: time.nullable(),
  }),
);

const description =
  'Needs a token with the scope `shift-notes:read`. Members see those of their organizations.';

export const listShiftNotes = defineRoute({
  operationId: 'listShiftNotes',
  method: 'GET',
  path: '/api/v1/orgs/{organization}/shift-notes',
  tag: 'Shift notes',
  summary: 'List the shift notes of an organization',
  description,
  rule: READ_SHIFT_NOTES,
  params: { organization: organizationId },
  query: {
    ...pageQuery(resourceId.transform((id) => parseShiftNoteId(String(id)))),
    status: z.enum(SHIFT_NOTE_STATUSES).optional(),
  },
  success: {
    status: 200,
    description: 'A page of shift notes, the oldest first.',
    body: pageOf(shiftNote),
    cacheControl: PRIVATE,
    etag: true,
  },
  problems: ['not_allowed', 'not_found'],
});

export const getShiftNote = defineRoute({
  operationId: 'getShiftNote',
  method: 'GET',
  path: '/api/v1/orgs/{organization}/shift-notes/{id}',
  tag: 'Shift notes',
  summary: 'Get a shift note',
  description,
  rule: READ_SHIFT_NOTES,
  params: { organization: organizationId, id: pathId(parseShiftNoteId) },
  success: {
    status: 200,
    description: 'The shift note.',
    body: shiftNote,
    cacheControl: PRIVATE,
    etag: true,
  },
  problems: ['not_allowed', 'not_found'],
});
