import type { AuditEventId, AuditQuery } from '@gatehouse/domain/audit';
import type { Instant } from '@gatehouse/domain/time';
import { type RawBuilder, sql } from 'kysely';
import { and, type Condition, or } from '../database/statements/conditions.ts';

/** Sends an instant as a number, because its RFC 3339 text may have the year 0, which PostgreSQL does not know. */
export const moment = (instant: Instant) => sql<Instant>`to_timestamp(${instant} / 1000::float8)`;

type Ids = RawBuilder<AuditEventId>;

/**
 * Selects the newest events of the named users or tokens; undefined if the query names none. Reads the newest events of
 * each of them by an index. Each SELECT sorts by all columns of that index, although the first of them have the same
 * value in its rows, so that PostgreSQL reads the index from its end and stops at the limit.
 */
export function newestOfNamed(query: AuditQuery): Ids | undefined {
  const { users, tokens, limit } = query;
  const scans = tokens ? [ofEachToken(query, tokens)] : users && ofEachUser(query, users);
  return (
    scans &&
    sql`(select newest.id from (${sql.join(scans, sql` union all `)}) as newest
      order by newest.id desc limit ${limit})`
  );
}

/** Uses the index audit_events_subject. */
function ofEachToken(query: AuditQuery, tokens: NonNullable<AuditQuery['tokens']>) {
  const { users, limit } = query;
  return sql`(
    select events.id from unnest(${tokens}::text[]) as wanted (token) cross join lateral (
      select id from audit_events
      where subject_type = 'token' and subject_id = wanted.token
        and ${and(...othersOf(query), ...(users ? [isByUsers(users)] : []))}
      order by subject_type desc, subject_id desc, id desc limit ${limit}) as events)`;
}

/** Uses the indexes audit_events_actor and audit_events_for_user, whose first columns are bounded as rows with the id. */
function ofEachUser(query: AuditQuery, users: NonNullable<AuditQuery['users']>) {
  const others = and(...othersOf(query));
  const is = (column: RawBuilder<unknown>, value: RawBuilder<unknown>) =>
    sql`(${column}, id) >= (${value}, 1) and (${column}, id) <= (${value}, ${lastOf(query)})`;
  const each = (events: RawBuilder<unknown>) => sql`(
    select events.id from unnest(${users}::bigint[]) as wanted (id) cross join lateral (${events}) as events)`;
  return [
    each(sql`
      select id from audit_events where ${is(sql`actor`, sql`jsonb_build_object('kind', 'user', 'id', wanted.id)`)} and ${others}
      order by actor desc, id desc limit ${query.limit}`),
    each(sql`
      select id from audit_events where actor ? 'for' and ${is(sql`(actor->>'for')`, sql`wanted.id::text`)} and ${others}
      order by (actor->>'for') desc, id desc limit ${query.limit}`),
  ];
}

/**
 * Selects the newest events of the account in a range of time; undefined if the query asks for something else. Events
 * are listed in the order of their ids, and PostgreSQL does not know that times have nearly the same order. `offset 0`
 * makes it read the range of time by the index audit_events_account_at, which also has the ids and actions, and not all
 * events of the account that are newer.
 */
export function newestBetween(query: AuditQuery): Ids | undefined {
  const { accountId, subject, actor, since, until, limit } = query;
  const hasTimes = since !== undefined || until !== undefined;
  if (!hasTimes || accountId === undefined || subject || actor) return undefined;
  return sql`(
    select id from (
      select id from audit_events where ${and(sql`account_id = ${accountId}`, ...filtersOf(query))} offset 0
    ) as within order by id desc limit ${limit})`;
}

/** The conditions beside those on the named users and tokens. No index is read for them. */
function othersOf(query: AuditQuery): readonly Condition[] {
  const { accountId, subject, actor } = query;
  const conditions = [...filtersOf(query)];
  // `account_id + 0` prevents PostgreSQL from reading all events of the account.
  if (accountId !== undefined) conditions.push(sql`account_id + 0 = ${accountId}`);
  if (subject)
    conditions.push(sql`subject_type || '' = ${subject.type} and subject_id || '' = ${subject.id}`);
  if (actor?.kind === 'user') conditions.push(isByUsers([actor.id]));
  else if (actor) conditions.push(isByOther(actor));
  return conditions;
}

function filtersOf({ actions, since, until, before }: AuditQuery): readonly Condition[] {
  const conditions: Condition[] = [sql`id <= ${lastOf({ before })}`];
  if (actions) conditions.push(sql`action = any(${actions}::text[])`);
  if (since !== undefined) conditions.push(sql`at >= ${moment(since)}`);
  if (until !== undefined) conditions.push(sql`at < ${moment(until)}`);
  return conditions;
}

/** The greatest id that can be on the page. */
export const lastOf = ({ before }: Pick<AuditQuery, 'before'>) =>
  before === undefined ? LAST_ID : sql`${before - 1}::bigint`;

const LAST_ID = sql`9223372036854775807`;

function isByUsers(users: readonly number[]): Condition {
  const ids = users.map(String);
  return or(
    sql`(actor->>'kind' = 'user' and actor->>'id' = any(${ids}::text[]))`,
    sql`actor->>'for' = any(${ids}::text[])`,
  );
}

/** The condition that an operator or a token acted. The events of an operator include those for users. */
function isByOther(actor: Exclude<NonNullable<AuditQuery['actor']>, { readonly kind: 'user' }>): Condition {
  const exact: Condition = sql`actor = ${JSON.stringify(actor)}::jsonb`;
  if (actor.kind !== 'operator' || actor.for !== undefined) return exact;
  return sql`(actor->>'kind' = 'operator' and actor->>'name' = ${actor.name})`;
}
