import type { AuditFilter } from '@gatehouse/domain/audit';
import { sql } from 'kysely';
import { onPrimary } from '../database/primary/primary-only.ts';
import type { Queries } from '../database/schema.ts';
import { moment } from './event-conditions.ts';
import type { Bounds, Stream } from './event-streams.ts';

/**
 * Returns the first and the last id of events in a range of time; undefined if it has none. Events are listed in the
 * order of their ids, and PostgreSQL does not know that times have nearly the same order. In an account, the times are
 * bounded as rows with the account, so that PostgreSQL reads only that range of the index audit_events_account_at,
 * which also has the ids.
 */
export async function boundsOfTimes(
  db: Queries,
  filter: Pick<AuditFilter, 'accountId' | 'since' | 'until'>,
  { first, last }: Bounds,
): Promise<Bounds | undefined> {
  const { accountId, since, until } = filter;
  // No index has all times and ids, and a range without a beginning may be nearly the whole log.
  if (accountId === undefined && since === undefined) return { first, last };
  const begin = since === undefined ? sql`'-infinity'` : moment(since);
  const end = until === undefined ? sql`'infinity'` : moment(until);
  const isWithin =
    accountId === undefined
      ? sql`at >= ${begin} and at < ${end}`
      : sql`(account_id, at) >= (${accountId}, ${begin}) and (account_id, at) < (${accountId}, ${end})`;
  const { rows } = await sql<{ readonly first: number | null; readonly last: number | null }>`
    select min(id) as first, max(id) as last from (
      select id from audit_events where ${isWithin} and id >= ${first} and id <= ${last} offset 0) as within
    where ${onPrimary}`.execute(db);
  const [bounds = { first: null, last: null }] = rows;
  return bounds.first === null || bounds.last === null
    ? undefined
    : { first: bounds.first, last: bounds.last };
}

/** Returns whether the streams have at most this many events in the bounds. */
export async function hasAtMost(db: Queries, streams: readonly Stream[], bounds: Bounds, limit: number) {
  const each = streams.map(
    ({ keys, newest }) => sql`
      select newest.id from unnest(${keys}::text[]) as wanted (key) cross join lateral (${newest(bounds, limit + 1)}) as newest`,
  );
  const { rows } = await sql<{ readonly count: number }>`
    select count(*)::integer as count from (
      select id from (${sql.join(each, sql` union all `)}) as ids limit ${limit + 1}) as counted
    where ${onPrimary}`.execute(db);
  return (rows[0]?.count ?? 0) <= limit;
}
