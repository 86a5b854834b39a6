import type { AuditEvent, AuditLog } from '@gatehouse/domain';
import type { Selectable } from 'kysely';
import type { Database } from './database.ts';
import type { AuditEventTable } from './schema.ts';

/** The audit log in PostgreSQL. Its table takes inserts only. */
export function createPostgresAuditLog({ queries }: Database): AuditLog {
  return {
    async list({ limit }) {
      const rows = await queries
        .selectFrom('audit_events')
        .select(['at', 'actor', 'origin', 'action', 'subject_type', 'subject_id', 'account_id', 'details'])
        // audit_events_pkey, backwards.
        .orderBy('id', 'desc')
        .limit(limit)
        .execute();
      return rows.map(toAuditEvent);
    },
  };
}

function toAuditEvent(row: Omit<Selectable<AuditEventTable>, 'id'>): AuditEvent {
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
