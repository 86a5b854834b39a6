import { frozenResults, type InMemoryRepositories } from '@gatehouse/domain/testing';
import { err, ok } from '@gatehouse/extension-kit/domain';
import type { ShiftNote, ShiftNoteId, ShiftNoteRepository } from '../src/domain/index.ts';

/** Creates a store in memory beside the repositories of Gatehouse. It is not for races. */
export function createInMemoryShiftNotes({
  organizations,
  record,
}: Pick<InMemoryRepositories, 'organizations' | 'record'>): ShiftNoteRepository {
  const notes = new Map<ShiftNoteId, ShiftNote>();
  return frozenResults<ShiftNoteRepository>({
    async list({ organizationId, status, after = 0, limit }) {
      // A note goes with its organization.
      if (!(await organizations.findById(organizationId))) return [];
      const listed = [...notes.values()].filter(
        (note) =>
          note.organizationId === organizationId &&
          note.id > after &&
          (status === undefined || note.status === status),
      );
      return listed.slice(0, limit);
    },
    async findById(id) {
      const note = notes.get(id);
      return note && (await organizations.findById(note.organizationId)) ? note : undefined;
    },
    async insert(note, audit) {
      if (!(await organizations.findById(note.organizationId))) return err({ code: 'not_found' });
      const id = (notes.size + 1) as ShiftNoteId;
      const created: ShiftNote = { id, ...note, status: 'open', closedAt: null };
      record(audit(created));
      notes.set(id, created);
      return ok(created);
    },
    async close(id, at, audit) {
      const before = notes.get(id);
      if (!before) return err({ code: 'shift_note_not_found' });
      if (before.status === 'closed') return ok({ shiftNote: before, already: true });
      record(audit(before));
      const shiftNote: ShiftNote = { ...before, status: 'closed', closedAt: at };
      notes.set(id, shiftNote);
      return ok({ shiftNote, already: false });
    },
  });
}
