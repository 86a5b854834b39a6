import {
  type AccountId,
  type Brand,
  type Instant,
  type OrganizationId,
  parsePositiveInteger,
} from '@gatehouse/extension-kit/domain';

export type ShiftNoteId = Brand<number, 'ShiftNoteId'>;

export const SEVERITIES = ['info', 'warning', 'urgent'] as const;

export type Severity = (typeof SEVERITIES)[number];

export const SHIFT_NOTE_STATUSES = ['open', 'closed'] as const;

export type ShiftNoteStatus = (typeof SHIFT_NOTE_STATUSES)[number];

/** A day such as 2027-01-31 (RFC 3339 full-date), which is in no time zone. */
export type Day = Brand<string, 'Day'>;

/** A shift note of an organization. */
export interface ShiftNote {
  readonly id: ShiftNoteId;
  readonly accountId: AccountId;
  readonly organizationId: OrganizationId;
  readonly text: string;
  readonly severity: Severity;
  /** The day until which it should be done. */
  readonly dueOn: Day | null;
  readonly status: ShiftNoteStatus;
  readonly createdAt: Instant;
  readonly closedAt: Instant | null;
}

export const parseShiftNoteId = parsePositiveInteger<ShiftNoteId>;

/** Parses a day of the calendar; undefined for any other text. */
export function parseDay(text: string): Day | undefined {
  const parts = /^(\d{4})-(\d{2})-(\d{2})$/.exec(text);
  if (!parts) return undefined;
  const [year, month, day] = parts.slice(1).map(Number) as [number, number, number];
  const isReal = year >= 1 && month >= 1 && month <= 12 && day >= 1 && day <= daysIn(year, month);
  return isReal ? (text as Day) : undefined;
}

function daysIn(year: number, month: number): number {
  if (month === 2) return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 29 : 28;
  return [4, 6, 9, 11].includes(month) ? 30 : 31;
}
