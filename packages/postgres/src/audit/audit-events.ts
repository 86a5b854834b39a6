import type { AuditEvent } from '@gatehouse/domain/audit';
import { formatInstant } from '@gatehouse/domain/time';
import { type RawBuilder, sql } from 'kysely';
import type { Queries } from '../database/schema.ts';

/** The columns of audit_events, in the order of `auditRecords`. */
export const auditColumns = sql`(at, actor, origin, action, subject_type, subject_id, account_id, details)`;

/** Returns any number of events as one parameter and a table `event`, to insert from. */
export function auditRecords(events: readonly AuditEvent[]): RawBuilder<unknown> {
  return auditRecordsIn(auditJson(events));
}

/** Returns the parameter. */
export function auditJson(events: readonly AuditEvent[]): string {
  const records = events.map(({ at, subject, accountId, ...event }) => ({
    ...event,
    at: formatInstant(at),
    subject_type: subject.type,
    subject_id: subject.id,
    account_id: accountId,
  }));
  return JSON.stringify(records);
}

/** Returns the table of a parameter. */
export function auditRecordsIn(json: string): RawBuilder<unknown> {
  return sql`
    jsonb_to_recordset(${json}::jsonb) as event(
      at timestamptz, actor jsonb, origin text, action text,
      subject_type text, subject_id text, account_id bigint, details jsonb)`;
}

/** Writes events, in the transaction of the change that they describe. */
export async function insertAuditEvents(db: Queries, events: readonly AuditEvent[]): Promise<void> {
  await sql`insert into audit_events ${auditColumns} select event.* from ${auditRecords(events)}`.execute(db);
}
