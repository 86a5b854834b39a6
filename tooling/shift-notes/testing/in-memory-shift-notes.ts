import { frozenResults, type InMemoryRepositories } from '@gatehouse/domain/testing';
import { err, ok } from '@gatehouse/extension-kit/domain';
import type { ShiftNote, ShiftNoteId, ShiftNoteRepository } from '../src/domain/index.ts';

/** Creates a store in memory beside the repositories of Gatehouse. It has no protection against races. */
export function createInMemoryShiftNotes({
  organizations,
  record,
}: Pick<InMemoryRepositories, 'organizations' | 'record'>): ShiftNoteRepository {
  const shiftNotes = new Map<ShiftNoteId, ShiftNote>();
  return frozenResults<ShiftNoteRepository>({
    async list({ organizationId, status, after = 0, limit }) {
      // A shift note is deleted with its organization.
      if (!(await organizations.findById(organizationId))) return [];
      const listed = [...shiftNotes.values()].filter(
        (shiftNote) =>
          shiftNote.organizationId === organizationId &&
          shiftNote.id > after &&
          (status === undefined || shiftNote.status === status),
      );
      return listed.slice(0, limit);
    },
    async findById(id) {
      const shiftNote = shiftNotes.get(id);
      return shiftNote && (await organizations.findById(shiftNote.organizationId)) ? shiftNote : undefined;
    },
    async insert(shiftNote, audit) {
      if (!(await organizations.findById(shiftNote.organizationId))) return err({ code: 'not_found' });
      const id = (shiftNotes.size + 1) as ShiftNoteId;
      const created: ShiftNote = { id, ...shiftNote, status: 'open', closedAt: null };
      record(audit(created));
      shiftNotes.set(id, created);
      return ok(created);
    },
    async close(id, at, audit) {
      const before = shiftNotes.get(id);
      if (!before) return err({ code: 'shift_note_not_found' });
      if (before.status === 'closed') return ok({ shiftNote: before, already: true });
      record(audit(before));
      const shiftNote: ShiftNote = { ...before, status: 'closed', closedAt: at };
      shiftNotes.set(id, shiftNote);
      return ok({ shiftNote, already: false });
    },
  });
}
