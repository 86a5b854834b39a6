import {
  authorized,
  checkText,
  err,
  eventBy,
  eventOf,
  findOrganizationFor,
  invalid,
  type OrganizationId,
} from '@gatehouse/extension-kit/domain';
import type { ShiftNotePorts } from './ports.ts';
import { MANAGE_SHIFT_NOTES } from './rules.ts';
import type { ShiftNote, ShiftNoteId } from './shift-note.ts';

/** In characters. */
const MAX_TEXT_LENGTH = 2000;

export interface CreateShiftNoteInput extends Pick<ShiftNote, 'text' | 'severity' | 'dueOn'> {
  readonly organizationId: OrganizationId;
}

/** Creates a shift note. Its text is required and has at most 2000 characters. */
export const createShiftNote = authorized(
  MANAGE_SHIFT_NOTES,
  ({ store, organizations, clock }: ShiftNotePorts) =>
    async (caller, { organizationId, text, severity, dueOn }: CreateShiftNoteInput) => {
      if (text.trim() === '') return invalid('text', 'must not be empty');
      const checked = checkText('text', text, MAX_TEXT_LENGTH);
      if (!checked.ok) return checked;
      const found = await findOrganizationFor(organizations, caller, MANAGE_SHIFT_NOTES, organizationId);
      if (!found.ok) return found;
      const at = clock.now();
      const { id, accountId } = found.value;
      const shiftNote = {
        accountId,
        organizationId: id,
        text: checked.value,
        severity,
        dueOn,
        createdAt: at,
      };
      return store.insert(shiftNote, (created) =>
        eventBy(caller, eventOf(at, 'shift_note.created', created, { organization_id: id, severity })),
      );
    },
);

export interface CloseShiftNoteInput {
  readonly organizationId: OrganizationId;
  readonly id: ShiftNoteId;
}

/** Closes a shift note of an organization. One of another organization counts as absent. */
export const closeShiftNote = authorized(
  MANAGE_SHIFT_NOTES,
  ({ store, organizations, clock }: ShiftNotePorts) =>
    async (caller, { organizationId, id }: CloseShiftNoteInput) => {
      const found = await findOrganizationFor(organizations, caller, MANAGE_SHIFT_NOTES, organizationId);
      if (!found.ok) return found;
      const shiftNote = await store.findById(id);
      if (shiftNote?.organizationId !== found.value.id) return err({ code: 'shift_note_not_found' });
      const at = clock.now();
      return store.close(id, at, (before) =>
        eventBy(caller, eventOf(at, 'shift_note.closed', before, { organization_id: before.organizationId })),
      );
    },
);
