import { err, ok } from '@gatehouse/domain';
import { type AuditSeals, rangesOf, without } from '@gatehouse/domain/audit';
import { formatInstant } from '@gatehouse/domain/time';
import { sql } from 'kysely';
import type { Database } from '../database/database.ts';
import { onPrimary } from '../database/primary/primary-only.ts';
import type { Queries } from '../database/schema.ts';
import { commitDurably } from '../database/statements/commit-durably.ts';
import { holds, lockRing } from '../signing-keys/ring-lock.ts';
import { insertAuditEvents } from './audit-events.ts';
import { addGaps, keepGaps, rangesOfGaps, readGaps } from './audit-gaps.ts';
import { tableChanges } from './audit-tables.ts';
import { wantedRanges } from './id-ranges.ts';
import { insertSeal, selectSeals } from './seal-records.ts';
import { readEventsIn, selectEvents } from './stored-events.ts';

/** Creates the store of the audit log's seals in PostgreSQL. */
export function createPostgresAuditSeals({ queries }: Database): AuditSeals {
  return {
    sealNext: (limit, make) => commitDurably(queries, (tx) => sealNext(tx, limit, make)),

    list: ({ after, limit, unpruned = false }) =>
      selectSeals(queries, (seals) => {
        const following = seals.where('last_position', '>', after).orderBy('last_position').limit(limit);
        return unpruned ? following.where('pruned_at', 'is', null) : following;
      }),

    findLast: async () => (await newestSeal(queries))[0],

    readEvents: (ids) => readEventsIn(queries, ids),

    async findIds(ranges, limit) {
      const { rows } = await sql<{ id: string }>`
        select found.id::text from ${wantedRanges(ranges)} cross join lateral (
          -- audit_events_pkey, even if the planner expects little of many ranges
          select id from audit_events where id >= wanted.first and id <= wanted.last order by id limit ${limit}
        ) as found
        where ${onPrimary} order by found.id limit ${limit}`.execute(queries);
      return rows.map(({ id }) => id);
    },

    async findUnsealed() {
      const late = rangesOfGaps(await readGaps(queries));
      return { lastId: await lastGivenId(queries), late };
    },

    findTableChanges: () => tableChanges(queries),

    prune: (last, { at, mac }, event) =>
      commitDurably(queries, async (tx) => {
        const seal = await tx
          .updateTable('audit_seals')
          .set({ pruned_at: formatInstant(at), pruned_mac: mac })
          .where('last_position', '=', last)
          .where('pruned_at', 'is', null)
          .returning('ids')
          .executeTakeFirst();
        if (!seal) return false;
        // A trigger on `audit_events` allows the deletion only if this setting names the seal of the events.
        await sql`select set_config('gatehouse.pruned_seal', ${String(last)}, true)`.execute(tx);
        await sql`
          delete from audit_events using unnest(${seal.ids}::int8multirange) as range
          where id >= lower(range) and id < upper(range)`.execute(tx);
        await insertAuditEvents(tx, [event]);
        return true;
      }),

    async findKey() {
      const key = queries.selectFrom('audit_seal_keys').select(['id', 'sealed_secret as sealedSecret']);
      return key.executeTakeFirst();
    },

    insertKey: ({ id, sealedSecret }, witness) =>
      queries.transaction().execute(async (tx) => {
        await lockRing(tx);
        if (!(await holds(tx, witness))) return err({ code: 'keys_changed' });
        const key = tx.insertInto('audit_seal_keys').values({ id, sealed_secret: sealedSecret });
        await key.onConflict((conflict) => conflict.doNothing()).execute();
        return ok(undefined);
      }),
  };
}

/**
 * The number of the advisory lock that is held while events are sealed. The number is arbitrary, but must not change,
 * because servers of all versions must use the same lock.
 */
const SEALER_LOCK = 4_101_051;

/**
 * Seals the next events. No writer of events waits for this transaction. Late events, which earlier seals could not see
 * yet, are sealed before new events, because their ids are lower.
 */
async function sealNext(tx: Queries, ...[limit, make]: Parameters<AuditSeals['sealNext']>): Promise<number> {
  await sql`select pg_advisory_xact_lock(${sql.lit(SEALER_LOCK)})`.execute(tx);
  const [previous] = await newestSeal(tx);
  const lastId = await lastGivenId(tx);
  const gaps = await readGaps(tx);
  const late = gaps.length === 0 ? [] : await readEventsIn(tx, rangesOfGaps(gaps), limit);
  const from = previous?.throughId ?? 0;
  const next = sql`audit_events where id > ${from} and id <= ${lastId}`;
  const fresh = late.length === limit ? [] : await selectEvents(tx, next, limit - late.length);

  // If the limit was reached, there may be more late events, so the gaps are kept for the next seal.
  const seen = late.length === limit ? gaps.map((gap) => ({ ...gap, ended: false })) : gaps;
  await keepGaps(tx, seen, late);
  const events = [...late, ...fresh];
  if (events.length === 0) return 0;
  const throughId = fresh.at(-1)?.id ?? from;
  const taken = rangesOf(fresh.map(({ id }) => id));
  await addGaps(tx, without(from + 1, throughId, taken));
  await insertSeal(tx, make({ events, previous, throughId }));
  return events.length;
}

function newestSeal(db: Queries) {
  return selectSeals(db, (seals) => seals.orderBy('last_position', 'desc').limit(1));
}

/**
 * Returns the greatest id that the database has assigned to an event. Gatehouse did not write an event with a greater
 * id: another client of the database chose that id.
 */
async function lastGivenId(db: Queries): Promise<number> {
  const { rows } = await sql<{ last: number | null }>`
    select pg_sequence_last_value(pg_get_serial_sequence('audit_events', 'id')::regclass) as last`.execute(
    db,
  );
  return rows[0]?.last ?? 0;
}
