import { err, ok } from '@gatehouse/domain';
import type { AuditSeals } from '@gatehouse/domain/audit';
import { formatInstant } from '@gatehouse/domain/time';
import { sql } from 'kysely';
import type { Database } from '../database/database.ts';
import { onPrimary } from '../database/primary/primary-only.ts';
import { commitDurably } from '../database/statements/commit-durably.ts';
import { holds, lockRing } from '../signing-keys/key-ring.ts';
import { insertAuditEvents } from './audit-events.ts';
import { rangesOfGaps, readGaps } from './audit-gaps.ts';
import { tableChanges } from './audit-tables.ts';
import { wantedRanges } from './id-ranges.ts';
import { lastGivenId, newestSeal, sealingNext } from './seal-next.ts';
import { selectSeals } from './seal-records.ts';
import { readEventsIn } from './stored-events.ts';

/** Creates the seals of the audit log in PostgreSQL. */
export function createPostgresAuditSeals({ queries }: Database): AuditSeals {
  return {
    ...sealingNext(queries),

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
        // The trigger on the table allows the deletion only with this setting.
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
