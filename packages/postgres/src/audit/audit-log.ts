import type {
  AuditAction,
  AuditEntry,
  AuditEvent,
  AuditEventId,
  AuditLog,
  AuditQuery,
} from '@gatehouse/domain/audit';
import type { Instant } from '@gatehouse/domain/time';
import type { Email } from '@gatehouse/domain/users';
import { type Selectable, type SelectQueryBuilder, sql } from 'kysely';
import type { Database } from '../database/database.ts';
import type { AuditEventTable, Queries, Schema } from '../database/schema.ts';

/** Creates the audit log in PostgreSQL. Its table accepts inserts only. */
export function createPostgresAuditLog({ queries }: Database): AuditLog {
  return {
    async list(query) {
      const { actions, limit } = query;
      const events = queries
        .selectFrom('audit_events')
        .select(['id', 'at', 'actor', 'origin', 'action', 'subject_type', 'subject_id', 'account_id'])
        .select(['details', ACTOR_EMAIL.as('actor_email')])
        .orderBy('id', 'desc')
        .limit(limit);
      const selected =
        actions === undefined
          ? matching(events, query)
          : events.where('id', 'in', newestOfEach(queries, actions, query));
      return (await selected.execute()).map(toAuditEntry);
    },
  };
}

type Events<Output> = SelectQueryBuilder<Schema, 'audit_events', Output>;

/** Each index on audit_events ends with the id, so that any single filter is a backward scan that stops early. */
function matching<Output>(
  events: Events<Output>,
  filter: Omit<AuditQuery, 'limit' | 'actions'>,
): Events<Output> {
  const { subject, accountId, actor, since, until, before } = filter;
  let query = events;
  if (subject) {
    query = query.where('subject_type', '=', subject.type).where('subject_id', '=', subject.id);
  }
  if (accountId !== undefined) query = query.where('account_id', '=', accountId);
  if (actor) query = query.where(sql<boolean>`actor = ${JSON.stringify(actor)}::jsonb`);
  if (since !== undefined) query = query.where('at', '>=', moment(since));
  if (until !== undefined) query = query.where('at', '<', moment(until));
  return before === undefined ? query : query.where('id', '<', before);
}

/**
 * Selects the newest events of each action: several backward scans instead of one over everything else that happened.
 *
 * In an account they are bounded and sorted by three columns, though two are the same in all rows, because only
 * audit_events_account_action has that order. If they were compared alone, the planner would take
 * audit_events_account_id, by which it expects a page of the account's events to have enough of each action.
 */
function newestOfEach(db: Queries, actions: readonly AuditAction[], query: AuditQuery) {
  const { accountId, before, limit } = query;
  const events = matching(db.selectFrom('audit_events').select('id'), {
    ...query,
    accountId: undefined,
    before: undefined,
  }).limit(limit);
  const last = before === undefined ? LAST_ID : sql`${before - 1}::bigint`;
  const newest =
    accountId === undefined
      ? events.where(sql<boolean>`action = wanted.action and id <= ${last}`).orderBy('id', 'desc')
      : events
          .where(sql<boolean>`(account_id, action, id) >= (${accountId}, wanted.action, 1)`)
          .where(sql<boolean>`(account_id, action, id) <= (${accountId}, wanted.action, ${last})`)
          .orderBy('account_id', 'desc')
          .orderBy('action', 'desc')
          .orderBy('id', 'desc');
  return sql<AuditEventId>`(
    select newest.id from unnest(${actions}::text[]) as wanted (action) cross join lateral ${newest} as newest
    order by newest.id desc limit ${limit})`;
}

const LAST_ID = sql`9223372036854775807`;

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
