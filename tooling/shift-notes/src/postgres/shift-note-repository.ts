import { err, formatInstant, ok } from '@gatehouse/extension-kit/domain';
import { expectViolation, sql } from '@gatehouse/extension-kit/postgres';
import type { ShiftNote, ShiftNoteRepository, ShiftNoteStatus } from '../domain/index.ts';
import type { ShiftNoteDatabase } from './schema.ts';

/** Creates the repository of shift notes in PostgreSQL. */
export function createPostgresShiftNoteRepository(database: ShiftNoteDatabase): ShiftNoteRepository {
  const { queries, inTime, change } = database;
  return {
    async list({ organizationId, status, after, limit }) {
      // shift_notes_organization_id
      let page = selectShiftNotes(queries).where('organization_id', '=', organizationId);
      if (status !== undefined) page = page.where('closed_at', status === 'open' ? 'is' : 'is not', null);
      if (after !== undefined) page = page.where('id', '>', after);
      return (await inTime(page.orderBy('id').limit(limit).execute())).map(frozen);
    },

    async findById(id) {
      const shiftNote = await inTime(selectShiftNotes(queries).where('id', '=', id).executeTakeFirst());
      return shiftNote && frozen(shiftNote);
    },

    insert(shiftNote, audit) {
      const inserted = change(async (tx, record) => {
        const created = await tx
          .insertInto('shift_notes.shift_notes')
          .values({
            account_id: shiftNote.accountId,
            organization_id: shiftNote.organizationId,
            text: shiftNote.text,
            severity: shiftNote.severity,
            due_on: shiftNote.dueOn,
            created_at: formatInstant(shiftNote.createdAt),
          })
          .returning(columns)
          .executeTakeFirstOrThrow();
        await record(audit(frozen(created)));
        return ok(frozen(created));
      });
      return inserted.catch(expectViolation('shift_notes_organization', { code: 'not_found' }));
    },

    close: (id, at, audit) =>
      change(async (tx, record) => {
        const locked = await selectShiftNotes(tx).where('id', '=', id).forNoKeyUpdate().executeTakeFirst();
        if (!locked) return err({ code: 'shift_note_not_found' });
        const before = frozen(locked);
        if (before.status === 'closed') return ok({ shiftNote: before, already: true });
        await tx
          .updateTable('shift_notes.shift_notes')
          .set({ closed_at: formatInstant(at) })
          .where('id', '=', id)
          .execute();
        await record(audit(before));
        return ok({ shiftNote: frozen({ ...before, status: 'closed', closedAt: at }), already: false });
      }),
  };
}

const columns = [
  'id',
  'account_id as accountId',
  'organization_id as organizationId',
  'text',
  'severity',
  'due_on as dueOn',
  sql<ShiftNoteStatus>`case when closed_at is null then 'open' else 'closed' end`.as('status'),
  'created_at as createdAt',
  'closed_at as closedAt',
] as const;

function selectShiftNotes(queries: ShiftNoteDatabase['queries']) {
  return queries.selectFrom('shift_notes.shift_notes').select(columns);
}

const frozen = (shiftNote: ShiftNote): ShiftNote => Object.freeze(shiftNote);
