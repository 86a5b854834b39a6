import type { AuditQuery } from '@gatehouse/domain/audit';
import type { Email } from '@gatehouse/domain/users';
import { type RawBuilder, type Selectable, sql } from 'kysely';
import { onPrimary } from '../database/primary/primary-only.ts';
import type { AuditEventTable, Queries } from '../database/schema.ts';
import { and, not } from '../database/statements/conditions.ts';
import { ACTOR_EMAIL, auditEventColumns } from './audit-events.ts';
import { conditionsOf, timesOf } from './event-conditions.ts';
import type { Bounds, Stream } from './event-streams.ts';
import { boundsOfTimes, hasAtMost } from './id-bounds.ts';

export type Row = Selectable<AuditEventTable> & { readonly actor_email: Email | null };

/** The largest number of events that one statement reads, and of ids that it reads of indexes, to find a page. */
const MAX_EVENTS = 2500;
const MAX_IDS = 6000;
/** Each key gives this many ids to a statement, also if it has many keys. */
const MIN_IDS = 16;

/**
 * Reads the newest events of the streams that fit the query. Each statement reads a limited number of events, so an
 * account with any number of them has no slow statement. Few events of a stream may fit the other filters. Then more are
 * read, from where the last statement ended, and of other streams or a range of ids that has fewer events, if one has.
 */
export async function newestOf(
  db: Queries,
  query: AuditQuery,
  streams: readonly Stream[],
  others: readonly (readonly Stream[])[],
): Promise<readonly Row[]> {
  const rows: Row[] = [];
  let read = streams;
  let bounds: Bounds = { first: 1, last: query.before === undefined ? LAST : query.before - 1 };
  let size = query.limit;
  let isInTimes = false;
  let isNarrowed = false;
  for (;;) {
    size = Math.min(size, MAX_EVENTS);
    const left = query.limit - rows.length;
    const step = await readStep(db, query, { streams: read, bounds, size, left });
    rows.push(...step.rows);
    const found = step.rows.length;
    if (step.next === null || found === left) return rows;
    bounds = { ...bounds, last: step.next - 1 };
    // Reads twice as many as are enough if as many of them fit the query.
    size = Math.min(4 * size, Math.ceil((2 * (left - found) * size) / (found + 1)));
    if (step.leftTimes && !isInTimes) {
      isInTimes = true;
      const ofTimes = await boundsOfTimes(db, query, bounds);
      if (ofTimes === undefined) return rows;
      // Nearly all events are in the range of time from now on.
      if (ofTimes.last < bounds.last) size = left - found;
      bounds = ofTimes;
    }
    if (!isNarrowed) read = (await withFew(db, others, bounds)) ?? read;
    isNarrowed = true;
  }
}

/** PostgreSQL has greater ids, but the log has none. */
const LAST = Number.MAX_SAFE_INTEGER;

async function withFew(db: Queries, others: readonly (readonly Stream[])[], bounds: Bounds) {
  for (const streams of others) if (await hasAtMost(db, streams, bounds, MAX_EVENTS)) return streams;
  return undefined;
}

interface Step {
  readonly streams: readonly Stream[];
  readonly bounds: Bounds;
  /** The maximum number of events that are read. */
  readonly size: number;
  /** The maximum number of events that are returned. */
  readonly left: number;
}

/**
 * Reads the newest ids of each key by the indexes. A key that has more of them than were read bounds what is known of
 * all: only the ids that are not less than its last one are all ids of the streams from there on.
 */
async function readStep(db: Queries, query: AuditQuery, { streams, bounds, size, left }: Step) {
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
