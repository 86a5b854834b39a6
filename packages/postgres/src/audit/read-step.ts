import type { AuditQuery } from '@gatehouse/domain/audit';
import type { Email } from '@gatehouse/domain/users';
import { type RawBuilder, type Selectable, sql } from 'kysely';
import { onPrimary } from '../database/primary/primary-only.ts';
import type { AuditEventTable, Queries } from '../database/schema.ts';
import { and, not } from '../database/statements/conditions.ts';
import { ACTOR_EMAIL, auditEventColumns } from './audit-events.ts';
import { conditionsOf, timesOf } from './event-conditions.ts';
import type { Bounds, Stream } from './event-streams.ts';

export type Row = Selectable<AuditEventTable> & { readonly actor_email: Email | null };

/** The largest number of ids that a statement reads of indexes. */
const MAX_IDS = 6000;
/** Each key gives this many ids to a statement, also if it has many keys. */
const MIN_IDS = 16;

interface StepQuery {
  readonly streams: readonly Stream[];
  readonly bounds: Bounds;
  /** The maximum number of events that are read. */
  readonly size: number;
  /** The maximum number of events that are returned. */
  readonly left: number;
}

interface Step {
  /** The events that fit the query, newest first. */
  readonly rows: readonly Row[];
  /** The last event that was read, after which other events follow; null if none follows. */
  readonly next: number | null;
  /** Whether one of the events that were read is outside the times of the query. */
  readonly leftTimes: boolean;
}

/**
 * Reads the newest events of the streams in the bounds, by one statement. It reads the newest ids of each key by the
 * indexes. A key that has more of them than were read bounds what is known of all: only the ids that are not less than
 * its last one are all ids of the streams from there on.
 */
export async function readStep(
  db: Queries,
  query: AuditQuery,
  { streams, bounds, size, left }: StepQuery,
): Promise<Step> {
  const keys = streams.reduce((sum, each) => sum + each.keys.length, 0);
  const limit = Math.max(MIN_IDS, Math.min(size, Math.floor(MAX_IDS / Math.max(keys, 1))));
  const idsOf = ({ keys, newest }: Stream) => sql`
    select keyed.id, keyed.place from unnest(${keys}::text[]) as wanted (key) cross join lateral (
      select id, row_number() over () as place from (${newest(bounds, limit)}) as newest) as keyed`;
  const conditions = conditionsOf(query);
  const times = timesOf(query);
  const { rows } = await sql<Row & { readonly next: number | null; readonly leftTimes: boolean }>`
    with ids as materialized (${sql.join(streams.map(idsOf), sql` union all `)}),
    known as materialized (
      select distinct id from ids where id >= coalesce((select max(id) from ids where place = ${limit}), 0)
      order by id desc limit ${size}),
    event as materialized (
      select event.*, ${and(sql`true`, ...conditions)} as fits, ${not(and(sql`true`, ...times))} as leaves_times
      from known cross join lateral (select * from audit_events where id = known.id limit 1) as event)
    select read.next, read."leftTimes", found.* from (
      select case when count(*) = ${size} or exists (select from ids where place = ${limit}) then min(id) end as next,
        coalesce(bool_or(leaves_times), false) as "leftTimes"
      from event) as read
    left join (
      select ${columns}, ${ACTOR_EMAIL} as actor_email from event as audit_events where fits order by id desc limit ${left}
    ) as found on true
    where ${onPrimary} order by found.id desc`.execute(db);
  const [{ next, leftTimes } = { next: null, leftTimes: false }] = rows;
  return { rows: rows.filter(({ id }) => id !== null), next, leftTimes };
}

const columns: RawBuilder<unknown> = sql.join(auditEventColumns.map((name) => sql.ref(name)));
