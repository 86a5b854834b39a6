import type { AuditEntry, AuditEventId, AuditLog, AuditQuery } from '@gatehouse/domain/audit';
import type { Database } from '../database/database.ts';
import type { Queries } from '../database/schema.ts';
import { ACTOR_EMAIL, auditEventColumns, toAuditEvent } from './audit-events.ts';
import { timesOf } from './event-conditions.ts';
import { streamsOf } from './event-streams.ts';
import { findNamed } from './find-named.ts';
import { newestOf } from './newest-events.ts';
import type { Row } from './read-step.ts';

/** Creates the audit log in PostgreSQL. A trigger of the database refuses changes of events. */
export function createPostgresAuditLog({ queries }: Database): AuditLog {
  return {
    async list(query) {
      const [streams, ...others] = streamsOf(query);
      const rows =
        streams === undefined
          ? await newestOfAll(queries, query)
          : await newestOf(queries, query, streams, others);
      return rows.map(toAuditEntry);
    },
    findNamed: (query) => findNamed(queries, query),
  };
}

/** Reads the newest events of all accounts. PostgreSQL reads an index backwards and stops at the limit. */
function newestOfAll(db: Queries, query: AuditQuery): Promise<readonly Row[]> {
  const { before, limit } = query;
  let events = db
    .selectFrom('audit_events')
    .select(auditEventColumns)
    .select(ACTOR_EMAIL.as('actor_email'))
    .orderBy('id', 'desc')
    .limit(limit);
  for (const condition of timesOf(query)) events = events.where(condition);
  return (before === undefined ? events : events.where('id', '<', before)).execute();
}

function toAuditEntry(row: Row): AuditEntry {
  return Object.freeze({
    id: row.id as AuditEventId,
    event: toAuditEvent(row),
    actorEmail: row.actor_email,
  });
}
