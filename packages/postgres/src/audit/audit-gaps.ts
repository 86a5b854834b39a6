import { type IdRange, type StoredEvent, without } from '@gatehouse/domain/audit';
import { sql } from 'kysely';
import { onPrimary } from '../database/primary/primary-only.ts';
import type { Queries } from '../database/schema.ts';
import { wantedRanges } from './id-ranges.ts';

/**
 * A range of ids that a seal passed over, because no event with one of these ids was committed at that time, and the
 * transactions that may still commit such an event.
 *
 * An insertion locks the table `audit_events` before it gets an id for its event, and keeps the lock until its
 * transaction ends. If the event was not committed when a seal passed over its id, its transaction held that lock at
 * the time, or has committed since. Once all transactions that held the lock have ended, the event is visible, or will
 * never exist. Gaps cannot name transactions by their transaction ids, because an insertion can have the id of its
 * event before it has a transaction id.
 */
export interface Gap {
  readonly first: number;
  readonly last: number;
  readonly writers: readonly string[];
  /** Whether all transactions of the gap have released the lock of `audit_events`. */
  readonly ended: boolean;
}

const WRITERS = sql`
  select virtualtransaction from pg_locks
  where locktype = 'relation' and relation = 'audit_events'::regclass and mode = 'RowExclusiveLock' and granted
    and database = (select oid from pg_database where datname = current_database())`;

export const rangesOfGaps = (gaps: readonly Gap[]) => gaps.map(({ first, last }): IdRange => [first, last]);

/**
 * Reads the gaps, which are ranges of ids that seals passed over. The caller must read the events by a later statement,
 * which sees all events of the transactions that have ended.
 */
export async function readGaps(tx: Queries): Promise<readonly Gap[]> {
  const { rows } = await sql<Gap>`
    with unfinished as materialized (${WRITERS} and exists (select from audit_gaps))
    select first_id as first, last_id as last, writers,
      not (writers && array(select virtualtransaction from unfinished)) as ended
    from audit_gaps
    -- The log itself writes no others: these were written by another client.
    where first_id >= 1 and last_id <= 9007199254740991 and ${onPrimary} order by first_id`.execute(tx);
  return rows;
}

/**
 * Removes the ids of these events from the gaps. Removes gaps whose transactions have ended, because no event can be
 * added to them.
 */
export async function keepGaps(
  tx: Queries,
  gaps: readonly Gap[],
  found: readonly StoredEvent[],
): Promise<void> {
  const taken = found.map(({ id }): IdRange => [id, id]);
  const changed = gaps.filter(
    ({ first, last, ended }) => ended || taken.some(([id]) => first <= id && id <= last),
  );
  if (changed.length === 0) return;
  const left = changed.flatMap(({ first, last, writers, ended }) =>
    (ended ? [] : without(first, last, taken)).map(([from, to]) => ({ first: from, last: to, writers })),
  );
  const firsts = changed.map(({ first }) => first);
  await sql`delete from audit_gaps where first_id = any(${firsts}::bigint[])`.execute(tx);
  await sql`
    insert into audit_gaps (first_id, last_id, writers) select first, last, writers
    from jsonb_to_recordset(${JSON.stringify(left)}::jsonb) as part (first bigint, last bigint, writers text[])`.execute(
    tx,
  );
}

/** Records new gaps, each with all transactions that hold the lock of `audit_events` now. */
export async function addGaps(tx: Queries, ranges: readonly IdRange[]): Promise<void> {
  if (ranges.length === 0) return;
  await sql`
    insert into audit_gaps (first_id, last_id, writers)
    select first, last, array(${WRITERS}) from ${wantedRanges(ranges)}`.execute(tx);
}
