import type { AuditEntry, AuditEvent, AuditEventId, AuditLog } from '@gatehouse/domain/audit';
import type { Instant } from '@gatehouse/domain/time';
import type { Email } from '@gatehouse/domain/users';
import { type Selectable, sql } from 'kysely';
import type { Database } from '../database/database.ts';
import type { AuditEventTable } from '../database/schema.ts';

/** Creates the audit log in PostgreSQL. Its table accepts inserts only. */
export function createPostgresAuditLog({ queries }: Database): AuditLog {
  return {
    async list({ subject, accountId, actor, action, since, until, before, limit }) {
      let query = queries
        .selectFrom('audit_events')
        .select(['id', 'at', 'actor', 'origin', 'action', 'subject_type', 'subject_id', 'account_id'])
        .select(['details', ACTOR_EMAIL.as('actor_email')])
        // Each index on audit_events ends with the id, so that any single filter is a backward scan that stops early.
        .orderBy('id', 'desc')
        .limit(limit);
      if (subject) {
        query = query.where('subject_type', '=', subject.type).where('subject_id', '=', subject.id);
      }
      if (accountId !== undefined) query = query.where('account_id', '=', accountId);
      if (actor) query = query.where(sql<boolean>`actor = ${JSON.stringify(actor)}::jsonb`);
      if (action) query = query.where('action', '=', action);
      if (since !== undefined) query = query.where('at', '>=', moment(since));
      if (until !== undefined) query = query.where('at', '<', moment(until));
      if (before !== undefined) query = query.where('id', '<', before);
      return (await query.execute()).map(toAuditEntry);
    },
  };
}

const ACTOR_EMAIL = sql<Email | null>`(
  select email from users
  where users.id = case when actor->>'kind' = 'user' then (actor->>'id')::bigint end)`;

/** As a number: PostgreSQL has no year 0, which RFC 3339 has. */
const moment = (instant: Instant) => sql<Instant>`to_timestamp(${instant} / 1000::float8)`;

function toAuditEntry(row: Selectable<AuditEventTable> & { readonly actor_email: Email | null }): AuditEntry {
  const event: AuditEvent = Object.freeze({
    at: row.at,
    actor: Object.freeze(row.actor),
    origin: row.origin,
    action: row.action,
    subject: Object.freeze({ type: row.subject_type, id: row.subject_id }),
    accountId: row.account_id,
    details: Object.freeze(row.details),
  });
  return Object.freeze({ id: row.id as AuditEventId, event, actorEmail: row.actor_email });
}
