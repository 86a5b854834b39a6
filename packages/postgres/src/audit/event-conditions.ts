import type { AuditFilter } from '@gatehouse/domain/audit';
import type { Instant } from '@gatehouse/domain/time';
import { sql } from 'kysely';
import { type Condition, or } from '../database/statements/conditions.ts';

/** Sends an instant as a number, because its RFC 3339 text may have the year 0, which PostgreSQL does not know. */
export const moment = (instant: Instant) => sql<Instant>`to_timestamp(${instant} / 1000::float8)`;

/** Returns the conditions of the filter on a row of `audit_events`. They need no index. */
export function conditionsOf(filter: AuditFilter): readonly Condition[] {
  const { accountId, subject, actor, users, tokens, actions } = filter;
  const conditions = [...timesOf(filter)];
  if (accountId !== undefined) conditions.push(sql`account_id = ${accountId}`);
  if (subject) conditions.push(sql`subject_type = ${subject.type} and subject_id = ${subject.id}`);
  if (tokens) conditions.push(sql`subject_type = 'token' and subject_id = any(${tokens}::text[])`);
  if (actions) conditions.push(sql`action = any(${actions}::text[])`);
  if (users) conditions.push(isByUsers(users));
  if (actor?.kind === 'user') conditions.push(isByUsers([actor.id]));
  else if (actor) conditions.push(isByOther(actor));
  return conditions;
}

export function timesOf({ since, until }: Pick<AuditFilter, 'since' | 'until'>): Condition[] {
  const conditions: Condition[] = [];
  if (since !== undefined) conditions.push(sql`at >= ${moment(since)}`);
  if (until !== undefined) conditions.push(sql`at < ${moment(until)}`);
  return conditions;
}

function isByUsers(users: readonly number[]): Condition {
  const ids = users.map(String);
  return or(
    sql`(actor->>'kind' = 'user' and actor->>'id' = any(${ids}::text[]))`,
    sql`actor->>'for' = any(${ids}::text[])`,
  );
}

/** The condition that an operator or a token acted. The events of an operator include those for users. */
function isByOther(actor: Exclude<NonNullable<AuditFilter['actor']>, { readonly kind: 'user' }>): Condition {
  const exact: Condition = sql`actor = ${JSON.stringify(actor)}::jsonb`;
  if (actor.kind !== 'operator' || actor.for !== undefined) return exact;
  return sql`(actor->>'kind' = 'operator' and actor->>'name' = ${actor.name})`;
}
