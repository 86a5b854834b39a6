import { err, ok } from '@gatehouse/domain';
import type { ReactionRepository } from '@gatehouse/domain/reactions';
import { formatInstant } from '@gatehouse/domain/time';
import { sql } from 'kysely';
import { insertAuditEvents } from '../audit/audit-events.ts';
import type { Database } from '../database/database.ts';
import { onPrimary } from '../database/primary/primary-only.ts';
import { commitDurably } from '../database/statements/commit-durably.ts';
import { lockReaction, tryAt } from './lane-changes.ts';
import {
  addressedJson,
  type DeliveryRow,
  selectStates,
  selectStuck,
  toDelivery,
} from './reaction-records.ts';
import { settleIn } from './settle.ts';

const NOT_FOUND = err({ code: 'reaction_not_found' });

/**
 * Creates the repository of reactions in PostgreSQL. Every change locks the row of its reaction first, so a process
 * that lost the reaction changes nothing, and a server and an operator change lanes one after the other.
 */
export function createPostgresReactionRepository({ queries }: Database): ReactionRepository {
  return {
    async register(name, after) {
      await sql`insert into reactions (name, position) values (${name}, ${after}) on conflict do nothing`.execute(
        queries,
      );
    },

    async hold(name, holder, forMs) {
      // These times are by the clock of the database, so the clocks of servers may differ.
      const held = await queries
        .updateTable('reactions')
        .set({ holder, held_until: sql`clock_timestamp() + ${forMs} * interval '1 millisecond'` })
        .where('name', '=', name)
        .where(sql<boolean>`(holder is null or holder = ${holder} or held_until <= clock_timestamp())`)
        .returning('position')
        .executeTakeFirst();
      return held?.position;
    },

    async release(name, holder) {
      await queries
        .updateTable('reactions')
        .set({ holder: null, held_until: null })
        .where('name', '=', name)
        .where('holder', '=', holder)
        .execute();
    },

    advance: (name, holder, { from, to, addressed, now }) =>
      commitDurably(queries, async (tx) => {
        const moved = await tx
          .updateTable('reactions')
          .set({ position: to })
          .where('name', '=', name)
          .where('holder', '=', holder)
          .where('position', '=', from)
          .returning('name')
          .executeTakeFirst();
        if (!moved) return false;
        if (addressed.length > 0)
          await sql`
            with given as (
              select * from jsonb_to_recordset(${addressedJson(addressed)}::jsonb)
                as given (lane text, position bigint, event jsonb)
            ), added as (
              insert into reaction_deliveries (reaction, lane, position, event)
              select ${name}, lane, position, event from given order by position
              on conflict do nothing returning lane
            )
            insert into reaction_lanes (reaction, lane, next_at)
            select distinct ${name}, lane, ${formatInstant(now)}::timestamptz from added
            on conflict do nothing`.execute(tx);
        return true;
      }),

    async findDue(name, { now, lanes, each, except }) {
      // Uses the indexes reaction_lanes_next_at and reaction_deliveries_lane.
      const { rows } = await sql<DeliveryRow>`
        select first.id, lanes.lane, first.position, first.event, first.tries
        from (
          select lane, next_at from reaction_lanes
          where reaction = ${name} and next_at <= ${formatInstant(now)} and lane <> all(${except}::text[])
          order by next_at, lane limit ${lanes}
        ) as lanes
        cross join lateral (
          select id, position, event, tries from reaction_deliveries
          where reaction = ${name} and lane = lanes.lane and parked_at is null
          order by position limit ${each}
        ) as first
        where ${onPrimary} order by lanes.next_at, lanes.lane, first.position`.execute(queries);
      const byLane = Map.groupBy(rows, ({ lane }) => lane);
      return [...byLane].map(([lane, deliveries]) => ({ lane, deliveries: deliveries.map(toDelivery) }));
    },

    settle: settleIn(queries),

    list: () => selectStates(queries),

    findStuck: ({ reaction, limit }) =>
      selectStuck(queries, reaction, sql`true order by parked_at is null, position, id limit ${limit}`),

    retry: (name, id, now, audit) =>
      commitDurably(queries, async (tx) => {
        if (!(await lockReaction(tx, name))) return NOT_FOUND;
        const [stuck] = await selectStuck(tx, name, sql`d.id = ${id}`);
        if (!stuck) return err({ code: 'delivery_not_found' });
        if (stuck.parkedAt !== null)
          await tx
            .updateTable('reaction_deliveries')
            .set({ tries: 0, problem: null, parked_at: null })
            .where('id', '=', id)
            .execute();
        await tryAt(tx, name, stuck.lane, now);
        await insertAuditEvents(tx, [audit(stuck)]);
        return ok(undefined);
      }),

    skip: (name, id, now, audit) =>
      commitDurably(queries, async (tx) => {
        if (!(await lockReaction(tx, name))) return NOT_FOUND;
        const [stuck] = await selectStuck(tx, name, sql`d.id = ${id}`);
        if (!stuck) return err({ code: 'delivery_not_found' });
        await tx.deleteFrom('reaction_deliveries').where('id', '=', id).execute();
        if (stuck.parkedAt === null) await tryAt(tx, name, stuck.lane, now);
        await insertAuditEvents(tx, [audit(stuck)]);
        return ok(undefined);
      }),

    move: (name, to, audit) =>
      commitDurably(queries, async (tx) => {
        const before = await lockReaction(tx, name);
        if (!before) return NOT_FOUND;
        await tx.updateTable('reactions').set({ position: to }).where('name', '=', name).execute();
        await insertAuditEvents(tx, [audit(before.position)]);
        return ok(undefined);
      }),

    remove: (name, audit) =>
      commitDurably(queries, async (tx) => {
        if (!(await lockReaction(tx, name))) return NOT_FOUND;
        const [state] = await selectStates(tx, sql`name = ${name}`);
        if (!state) return NOT_FOUND;
        await tx.deleteFrom('reactions').where('name', '=', name).execute();
        await insertAuditEvents(tx, [audit(state)]);
        return ok(undefined);
      }),
  };
}
