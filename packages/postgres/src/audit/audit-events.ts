import type { AuditEvent } from '@gatehouse/domain/audit';
import { formatInstant } from '@gatehouse/domain/time';
import type { Email } from '@gatehouse/domain/users';
import { type RawBuilder, type Selectable, sql } from 'kysely';
import type { AuditEventTable, Queries } from '../database/schema.ts';

type Column = Exclude<keyof AuditEventTable, 'id'>;

/** The columns of `audit_events` and their types. */
const COLUMNS: Readonly<Record<Column, string>> = {
  at: 'timestamptz',
  actor: 'jsonb',
  origin: 'text',
  action: 'text',
  subject_type: 'text',
  subject_id: 'text',
  account_id: 'bigint',
  details: 'jsonb',
};

const NAMES = Object.keys(COLUMNS) as readonly Column[];

/** All columns of an event. */
export const auditEventColumns = ['id', ...NAMES] as const;

/** The email of the user who acted, or for whom an operator acted, in a row of `audit_events`. */
export const ACTOR_EMAIL = sql<Email | null>`(
  select email from users
  where users.id = (case actor->>'kind' when 'user' then actor->>'id' when 'operator' then actor->>'for' end)::bigint)`;

/** The list of columns of an INSERT, in the order of the columns of `auditRecordsIn`. */
export const auditColumns = sql.raw(`(${NAMES.join(', ')})`);

const TYPED = sql.raw(NAMES.map((name) => `${name} ${COLUMNS[name]}`).join(', '));

/** Converts any number of events to one JSON text, which is a parameter of `auditRecordsIn`. */
export function auditJson(events: readonly AuditEvent[]): string {
  const records = events.map(
    ({ at, subject, accountId, ...event }): Readonly<Record<Column, unknown>> => ({
      ...event,
      at: formatInstant(at),
      subject_type: subject.type,
      subject_id: subject.id,
      account_id: accountId,
    }),
  );
  return JSON.stringify(records);
}

/** Selects the events of a text from `auditJson` as a table with the name `event`, to insert them. */
export function auditRecordsIn(json: string): RawBuilder<unknown> {
  return sql`jsonb_to_recordset(${json}::jsonb) as event(${TYPED})`;
}

/** Writes audit events, in the transaction of the change that they describe. */
export async function insertAuditEvents(db: Queries, events: readonly AuditEvent[]): Promise<void> {
  const records = auditRecordsIn(auditJson(events));
  await sql`insert into audit_events ${auditColumns} select event.* from ${records}`.execute(db);
}

export function toAuditEvent(row: Omit<Selectable<AuditEventTable>, 'id'>): AuditEvent {
  return Object.freeze({
    at: row.at,
    actor: Object.freeze(row.actor),
    origin: row.origin,
    action: row.action,
    subject: Object.freeze({ type: row.subject_type, id: row.subject_id }),
    accountId: row.account_id,
    details: Object.freeze(row.details),
  });
}
