import type {
  AuditEvent,
  ChangeOutcome,
  Instant,
  OrganizationId,
  PageById,
  Result,
} from '@gatehouse/extension-kit/domain';
import type { ShiftNote, ShiftNoteId, ShiftNoteStatus } from './shift-note.ts';

export type NewShiftNote = Pick<
  ShiftNote,
  'accountId' | 'organizationId' | 'text' | 'severity' | 'dueOn' | 'createdAt'
>;

export interface ShiftNoteQuery extends PageById<ShiftNoteId> {
  readonly organizationId: OrganizationId;
  readonly status?: ShiftNoteStatus | undefined;
}

export type ClosedShiftNote = ChangeOutcome & { readonly shiftNote: ShiftNote };

export type ShiftNoteNotFound = { readonly code: 'shift_note_not_found' };

/**
 * Stores shift notes. Each change and its audit event are one atomic step; results are frozen.
 * Implementations pass `shiftNoteRepositoryContract`.
 */
export interface ShiftNoteRepository {
  /** Returns one page of an organization's shift notes, sorted by id and starting after `after`. */
  list(query: ShiftNoteQuery): Promise<readonly ShiftNote[]>;

  findById(id: ShiftNoteId): Promise<ShiftNote | undefined>;

  /** Creates an open shift note. The organization may have been deleted since it was read. */
  insert(
    shiftNote: NewShiftNote,
    audit: (created: ShiftNote) => AuditEvent,
  ): Promise<Result<ShiftNote, { readonly code: 'not_found' }>>;

  /** Closes a shift note. If it is closed, records no event. */
  close(
    id: ShiftNoteId,
    at: Instant,
    audit: (before: ShiftNote) => AuditEvent,
  ): Promise<Result<ClosedShiftNote, ShiftNoteNotFound>>;
}
