import type { AuditEvent, IdRange, StoredEvent } from '@gatehouse/domain/audit';
import { type RawBuilder, type Selectable, sql } from 'kysely';
import { onPrimary } from '../database/primary/primary-only.ts';
import type { AuditEventTable, Queries } from '../database/schema.ts';
import { toAuditEvent } from './audit-events.ts';
import { wantedRanges } from './id-ranges.ts';

type Row = Omit<Selectable<AuditEventTable>, 'actor' | 'details'> & {
  readonly id: StoredEvent['id'];
  readonly actor: string;
  readonly details: string;
};

/**
 * The columns of an event. Another client may have written invalid values. Times before the year 1, after the year 9999
 * or with fractions of a millisecond are read as 1970. Ids of accounts that are not safe integers are read as -1. Such
 * an event then differs from the event that was sealed, and the verification of the seals fails.
 */
const COLUMNS = sql`
  id, actor::text as actor, origin, action, subject_type, subject_id, details::text as details,
  case when at >= '0001-01-01Z' and at < '10000-01-01Z' and date_trunc('milliseconds', at) = at
    then (extract(epoch from at) * 1000)::bigint else 0 end as at,
  case when abs(account_id) >= 9007199254740992 then -1 else account_id end as account_id`;

/** Reads the selected events, sorted by id. */
export async function selectEvents(
  db: Queries,
  from: RawBuilder<unknown>,
  limit?: number,
): Promise<readonly StoredEvent[]> {
  const { rows } = await sql<Row>`
    select ${COLUMNS} from ${from} and ${onPrimary} order by id
    ${limit === undefined ? sql`` : sql`limit ${limit}`}`.execute(db);
  return rows.map(toStoredEvent);
}

/** Reads the events with these ids. */
export function readEventsIn(
  db: Queries,
  ranges: readonly IdRange[],
  limit?: number,
): Promise<readonly StoredEvent[]> {
  // Reads each range by the index audit_events_pkey. Without `order by`, the planner may read the whole table for each
  // range.
  const from = sql`${wantedRanges(ranges)}
    cross join lateral (
      select * from audit_events where id >= wanted.first and id <= wanted.last order by id limit 9007199254740991
    ) as event where true`;
  return selectEvents(db, from, limit);
}

function toStoredEvent(row: Row): StoredEvent {
  const actor = parseExactly(row.actor) as AuditEvent['actor'];
  const details = parseExactly(row.details) as AuditEvent['details'];
  return Object.freeze({ id: row.id, event: toAuditEvent({ ...row, actor, details }) });
}

/** A number with at least this many digits may be inexact in JavaScript. */
const LONG = /[\d.]{16}/;

/**
 * Parses the text of a `jsonb` value. A number that JavaScript cannot represent exactly becomes a text with its digits,
 * so that it is not mistaken for the nearest number.
 */
export function parseExactly(text: string): unknown {
  if (!LONG.test(text)) return JSON.parse(text);
  return JSON.parse(text, (_, value: unknown, context?: { readonly source?: string }) =>
    typeof value === 'number' && context?.source !== undefined && !isExact(value, context.source)
      ? `number ${context.source}`
      : value,
  );
}

/** Returns whether the number has exactly the value of the text, which never has an exponent. */
function isExact(value: number, text: string): boolean {
  // The shortest text that JavaScript reads as this number has at most 17 digits.
  const shortest = value.toLocaleString('en', { useGrouping: false, maximumSignificantDigits: 21 });
  return shortest === (text.includes('.') ? text.replace(/\.?0+$/, '') : text);
}
