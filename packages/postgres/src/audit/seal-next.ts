import { type AuditSeals, rangesOf, without } from '@gatehouse/domain/audit';
import { sql } from 'kysely';
import type { Queries } from '../database/schema.ts';
import { commitDurably } from '../database/statements/commit-durably.ts';
import { addGaps, keepGaps, rangesOfGaps, readGaps } from './audit-gaps.ts';
import { insertSeal, selectSeals } from './seal-records.ts';
import { readEventsIn, selectEvents } from './stored-events.ts';

/** The advisory lock of the sealer. The number is arbitrary, but fixed. */
const SEALER_LOCK = 4_101_051;

/**
 * Seals in one transaction, for which no writer waits. Late events come first, because their ids are lower. This is
 * the part of the store that seals.
 */
export function sealingNext(queries: Queries): Pick<AuditSeals, 'sealNext'> {
  return {
    sealNext: (limit, make) =>
      commitDurably(queries, async (tx) => {
        await sql`select pg_advisory_xact_lock(${sql.lit(SEALER_LOCK)})`.execute(tx);
        const [previous] = await newestSeal(tx);
        const lastId = await lastGivenId(tx);
        const gaps = await readGaps(tx);
        const late = gaps.length === 0 ? [] : await readEventsIn(tx, rangesOfGaps(gaps), limit);
        const from = previous?.throughId ?? 0;
        const next = sql`audit_events where id > ${from} and id <= ${lastId}`;
        const fresh =
          late.length === limit ? [] : await selectEvents(tx, { from: next, limit: limit - late.length });

        // There may be more late events than the limit.
        const seen = late.length === limit ? gaps.map((gap) => ({ ...gap, ended: false })) : gaps;
        await keepGaps(tx, seen, late);
        const events = [...late, ...fresh];
        if (events.length === 0) return 0;
        const throughId = fresh.at(-1)?.id ?? from;
        const taken = rangesOf(fresh.map(({ id }) => id));
        await addGaps(tx, without(from + 1, throughId, taken));
        await insertSeal(tx, make({ events, previous, throughId }));
        return events.length;
      }),
  };
}

export function newestSeal(db: Queries) {
  return selectSeals(db, (seals) => seals.orderBy('last_position', 'desc').limit(1));
}

/** Returns the greatest id that the log has assigned: an event with a greater id was written by another client. */
export async function lastGivenId(db: Queries): Promise<number> {
  const { rows } = await sql<{ last: number | null }>`
    select pg_sequence_last_value(pg_get_serial_sequence('audit_events', 'id')::regclass) as last`.execute(
    db,
  );
  return rows[0]?.last ?? 0;
}
