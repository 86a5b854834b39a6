import type { Actor, AuditEntry, AuditEventId, AuditLog, AuditQuery } from '@gatehouse/domain/audit';
import type { Instant } from '@gatehouse/domain/time';
import type { Email } from '@gatehouse/domain/users';
import { type RawBuilder, type Selectable, type SelectQueryBuilder, sql } from 'kysely';
import type { Database } from '../database/database.ts';
import type { AuditEventTable, Queries, Schema } from '../database/schema.ts';
import { auditEventColumns, toAuditEvent } from './audit-events.ts';

/** Creates the audit log in PostgreSQL. A trigger refuses changes of its events. */
export function createPostgresAuditLog({ queries }: Database): AuditLog {
  return {
    async list(query) {
      const { actor, actions, limit } = query;
      const events = queries
        .selectFrom('audit_events')
        .select(auditEventColumns)
        .select(ACTOR_EMAIL.as('actor_email'))
        .orderBy('id', 'desc')
        .limit(limit);
      const selected =
        actor === undefined && actions === undefined
          ? matching(events, query)
          : events.where('id', 'in', newestOfEach(queries, query));
      return (await selected.execute()).map(toAuditEntry);
    },
  };
}

type Events<Output> = SelectQueryBuilder<Schema, 'audit_events', Output>;

type Filter = Omit<AuditQuery, 'limit' | 'actions' | 'actor'>;

/**
 * Adds the filters. Each index on audit_events ends with the id, so that one filter alone is a backward scan that stops
 * early.
 */
function matching<Output>(events: Events<Output>, filter: Filter): Events<Output> {
  const { subject, accountId, since, until, before } = filter;
  let query = events;
  if (subject) {
    query = query.where('subject_type', '=', subject.type).where('subject_id', '=', subject.id);
  }
  if (accountId !== undefined) query = query.where('account_id', '=', accountId);
  if (since !== undefined) query = query.where('at', '>=', moment(since));
  if (until !== undefined) query = query.where('at', '<', moment(until));
  return before === undefined ? query : query.where('id', '<', before);
}

/** Selects the newest events of each wanted action. One backward scan for each reads fewer rows than one scan for all. */
function newestOfEach(db: Queries, query: AuditQuery) {
  const { actor, actions, limit } = query;
  const scans = (actor === undefined ? [ANY] : scansOf(actor)).map((scan) =>
    actions === undefined
      ? sql`(${newestOfActor(db, query, scan)})`
      : sql`(
          select of_action.id from unnest(${actions}::text[]) as wanted (action)
          cross join lateral ${newestOfAction(db, query).where(scan.is)} as of_action)`,
  );
  return sql<AuditEventId>`(
    select newest.id from (${sql.join(scans, sql` union all `)}) as newest
    order by newest.id desc limit ${limit})`;
}

/** Events of an actor, in the order of an index. */
interface ActorScan {
  readonly is: RawBuilder<boolean>;
  /** The first column of that index, and its value. */
  readonly by?: { readonly column: RawBuilder<unknown>; readonly value: RawBuilder<unknown> };
}

const ANY: ActorScan = { is: sql`true` };

/** Returns scans of the actor's own actions, and of an operator's actions for a user. */
function scansOf(actor: Actor): readonly ActorScan[] {
  // audit_events_actor
  const alone = scan(sql`true`, sql`actor`, sql`${JSON.stringify(actor)}::jsonb`);
  const acting = sql<boolean>`actor ? 'for'`;
  // audit_events_for_user
  if (actor.kind === 'user') return [alone, scan(acting, sql`(actor->>'for')`, sql`${String(actor.id)}`)];
  if (actor.kind !== 'operator' || actor.for !== undefined) return [alone];
  // audit_events_operator_for
  return [alone, scan(acting, sql`(actor->>'name')`, sql`${actor.name}`)];
}

function scan(
  where: RawBuilder<boolean>,
  column: RawBuilder<unknown>,
  value: RawBuilder<unknown>,
): ActorScan {
  return { is: sql`${where} and ${column} = ${value}`, by: { column, value } };
}

function newestOf(db: Queries, query: AuditQuery) {
  return matching(db.selectFrom('audit_events').select('id'), query).limit(query.limit);
}

/**
 * Selects the newest events of the actor. The statement bounds and sorts by the actor's column, which is the same in all
 * rows, so that PostgreSQL reads the actor's index from its end. Without that, it would read all events of the account,
 * because it has no statistics of actors and accounts together. For an operator in an account the planner decides: the
 * account may have a small part of the operator's events.
 */
function newestOfActor(db: Queries, query: AuditQuery, { is, by }: ActorScan) {
  const { actor, accountId } = query;
  if (by === undefined || (actor?.kind === 'operator' && accountId !== undefined))
    return newestOf(db, query).where(is).orderBy('id', 'desc');
  const { column, value } = by;
  const bounds = sql<boolean>`(${column}, id) >= (${value}, 1) and (${column}, id) <= (${value}, ${lastOf(query)})`;
  const events = newestOf(db, { ...query, accountId: undefined, before: undefined })
    .where(is)
    .where(bounds)
    .orderBy(column, 'desc')
    .orderBy('id', 'desc');
  // The sum prevents PostgreSQL from using an index for this condition.
  return accountId === undefined ? events : events.where(sql<boolean>`account_id + 0 = ${accountId}`);
}

/**
 * Selects the newest events of the action `wanted.action`.
 *
 * In an account, the statement bounds and sorts by three columns, although two of them are the same in all rows, because
 * only the index audit_events_account_action has that order. With plain equality, the planner would read
 * audit_events_account_id instead. It would expect a page of the account's events to have enough events of each action.
 */
function newestOfAction(db: Queries, query: AuditQuery) {
  const { accountId } = query;
  const events = newestOf(db, { ...query, accountId: undefined, before: undefined });
  const last = lastOf(query);
  return accountId === undefined
    ? events.where(sql<boolean>`action = wanted.action and id <= ${last}`).orderBy('id', 'desc')
    : events
        .where(sql<boolean>`(account_id, action, id) >= (${accountId}, wanted.action, 1)`)
        .where(sql<boolean>`(account_id, action, id) <= (${accountId}, wanted.action, ${last})`)
        .orderBy('account_id', 'desc')
        .orderBy('action', 'desc')
        .orderBy('id', 'desc');
}

/** The greatest id of the page. */
const lastOf = ({ before }: AuditQuery) => (before === undefined ? LAST_ID : sql`${before - 1}::bigint`);

const LAST_ID = sql`9223372036854775807`;

const ACTOR_EMAIL = sql<Email | null>`(
  select email from users
  where users.id = (case actor->>'kind' when 'user' then actor->>'id' when 'operator' then actor->>'for' end)::bigint)`;

/** Sends an instant as a number, because its RFC 3339 text may have the year 0, which PostgreSQL does not know. */
const moment = (instant: Instant) => sql<Instant>`to_timestamp(${instant} / 1000::float8)`;

function toAuditEntry(row: Selectable<AuditEventTable> & { readonly actor_email: Email | null }): AuditEntry {
  return Object.freeze({
    id: row.id as AuditEventId,
    event: toAuditEvent(row),
    actorEmail: row.actor_email,
  });
}
