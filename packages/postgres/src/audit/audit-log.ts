import type { Actor, AuditEntry, AuditEventId, AuditLog, AuditQuery } from '@gatehouse/domain/audit';
import type { Email } from '@gatehouse/domain/users';
import { type RawBuilder, type Selectable, type SelectQueryBuilder, sql } from 'kysely';
import type { Database } from '../database/database.ts';
import type { AuditEventTable, Queries, Schema } from '../database/schema.ts';
import { auditEventColumns, toAuditEvent } from './audit-events.ts';
import { findNamed } from './find-named.ts';
import { lastOf, moment, newestBetween, newestOfNamed } from './newest-events.ts';

/** Creates the audit log in PostgreSQL. A trigger of the database refuses changes of events. */
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
      const named = newestOfNamed(query) ?? newestBetween(query);
      const selected =
        named !== undefined
          ? events.where('id', 'in', named)
          : actor === undefined && actions === undefined
            ? matching(events, query)
            : events.where('id', 'in', newestOfEach(queries, query));
      return (await selected.execute()).map(toAuditEntry);
    },
    findNamed: (query) => findNamed(queries, query),
  };
}

type Events<Output> = SelectQueryBuilder<Schema, 'audit_events', Output>;

type Filter = Omit<AuditQuery, 'limit' | 'actions' | 'actor' | 'users' | 'tokens'>;

/**
 * Adds the filters to a statement. Each index on audit_events ends with the id. With one filter, PostgreSQL therefore
 * reads an index backwards and stops at the limit.
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

/**
 * Selects the newest events of each wanted action. One backward scan for each action reads fewer rows than one scan for
 * all actions.
 */
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

/** A condition that selects events of an actor. An index has these events in the order of their ids. */
interface ActorScan {
  readonly is: RawBuilder<boolean>;
  /**
   * The first column of the index for events of an actor, and the value of that column for this actor. Undefined if
   * events of any actor are selected.
   */
  readonly by?: { readonly column: RawBuilder<unknown>; readonly value: RawBuilder<unknown> };
}

const ANY: ActorScan = { is: sql`true` };

/**
 * Returns one condition for the events of the actor itself. For a user, also returns a condition for the events of
 * operators on behalf of the user. For an operator, also returns a condition for the events of the operator on behalf
 * of users.
 */
function scansOf(actor: Actor): readonly ActorScan[] {
  // Uses the index audit_events_actor.
  const alone = scan(sql`true`, sql`actor`, sql`${JSON.stringify(actor)}::jsonb`);
  const acting = sql<boolean>`actor ? 'for'`;
  // Uses the index audit_events_for_user.
  if (actor.kind === 'user') return [alone, scan(acting, sql`(actor->>'for')`, sql`${String(actor.id)}`)];
  if (actor.kind !== 'operator' || actor.for !== undefined) return [alone];
  // Uses the index audit_events_operator_for.
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
 * Selects the newest events of the actor. The statement limits and sorts by the column of the actor, although that
 * column has the same value in all these rows, so that PostgreSQL reads the actor's index from its end. Otherwise
 * PostgreSQL would read all events of the account, because it has no statistics of actors and accounts together. For an
 * operator in an account, the planner decides, because the account may have few of the operator's events.
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
  // `account_id + 0` prevents PostgreSQL from using an index for this condition.
  return accountId === undefined ? events : events.where(sql<boolean>`account_id + 0 = ${accountId}`);
}

/**
 * Selects the newest events of the action `wanted.action`.
 *
 * In an account, the statement limits and sorts by three columns, although two of them have the same value in all these
 * rows, because only the index audit_events_account_action has that order. With plain equality, the planner would read
 * the index audit_events_account_id instead, because it would expect to find enough events of each action among a few
 * events of the account.
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

const ACTOR_EMAIL = sql<Email | null>`(
  select email from users
  where users.id = (case actor->>'kind' when 'user' then actor->>'id' when 'operator' then actor->>'for' end)::bigint)`;

function toAuditEntry(row: Selectable<AuditEventTable> & { readonly actor_email: Email | null }): AuditEntry {
  return Object.freeze({
    id: row.id as AuditEventId,
    event: toAuditEvent(row),
    actorEmail: row.actor_email,
  });
}
