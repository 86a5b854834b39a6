import {
  authorized,
  err,
  findOrganizationFor,
  type OrganizationId,
  ok,
} from '@gatehouse/extension-kit/domain';
import type { ShiftNotePorts } from './ports.ts';
import { READ_SHIFT_NOTES } from './rules.ts';
import type { ShiftNoteId, ShiftNoteStatus } from './shift-note.ts';

export interface ListShiftNotesInput {
  readonly organizationId: OrganizationId | undefined;
  readonly status?: ShiftNoteStatus | undefined;
  /** Only shift notes after this one, which was the last of the previous page. */
  readonly after?: ShiftNoteId | undefined;
  readonly limit: number;
}

/** Lists the shift notes of an organization, the oldest first. */
export const listShiftNotes = authorized(
  READ_SHIFT_NOTES,
  ({ store, organizations }: ShiftNotePorts) =>
    async (caller, { organizationId, status, after, limit }: ListShiftNotesInput) => {
      const found = await findOrganizationFor(organizations, caller, READ_SHIFT_NOTES, organizationId);
      if (!found.ok) return found;
      const page = { organizationId: found.value.id, status, limit };
      return ok(await store.list(after === undefined ? page : { ...page, after }));
    },
);

export interface ShiftNoteReference {
  readonly organizationId: OrganizationId | undefined;
  readonly id: ShiftNoteId | undefined;
}

/** Looks up a shift note of an organization. One of another organization counts as absent. */
export const getShiftNote = authorized(
  READ_SHIFT_NOTES,
  ({ store, organizations }: ShiftNotePorts) =>
    async (caller, { organizationId, id }: ShiftNoteReference) => {
      const found = await findOrganizationFor(organizations, caller, READ_SHIFT_NOTES, organizationId);
      if (!found.ok) return found;
      const shiftNote = id === undefined ? undefined : await store.findById(id);
      return shiftNote?.organizationId === found.value.id ? ok(shiftNote) : err({ code: 'not_found' });
    },
);
