import type { AccountId, OrganizationId } from '@gatehouse/extension-kit/domain';
import type {
  ExtensionDatabase,
  GeneratedAlways,
  NullableTimestamp,
  Timestamp,
} from '@gatehouse/extension-kit/postgres';
import type { Day, Severity, ShiftNoteId } from '../domain/index.ts';

interface ShiftNoteTable {
  id: GeneratedAlways<ShiftNoteId>;
  account_id: AccountId;
  organization_id: OrganizationId;
  text: string;
  severity: Severity;
  /** A date is read and written as text. */
  due_on: Day | null;
  created_at: Timestamp;
  closed_at: NullableTimestamp;
}

/** The tables of the schema `shift_notes`. */
interface Tables {
  'shift_notes.shift_notes': ShiftNoteTable;
}

export type ShiftNoteDatabase = ExtensionDatabase<Tables>;
