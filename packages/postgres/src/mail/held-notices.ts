import type { AuditEvent, AuditPosition } from '@gatehouse/domain/audit';
import type { HeldNotices } from '@gatehouse/domain/mail';
import { addMilliseconds } from '@gatehouse/domain/time';
import type { UserId } from '@gatehouse/domain/users';
import { sql } from 'kysely';
import type { Database } from '../database/database.ts';
import { moment } from '../database/statements/conditions.ts';
import { frozenEvent } from '../reactions/reaction-records.ts';

interface HeldRow {
  readonly userId: UserId;
  readonly position: AuditPosition;
  readonly event: AuditEvent;
}

/** Creates the store of events that wait for a message, in PostgreSQL. */
export function createPostgresHeldNotices({ queries }: Database): HeldNotices {
  return {
    async admit(userId, { position, event }, { now, limit, windowMs }) {
      const since = moment(addMilliseconds(now, -windowMs));
      // A row of the same event stays as it is: it is set to the same value only to be returned. Rows of sent messages are
      // counted only if no event waits, because thousands may wait. Uses the index notices_held.
      const { rows } = await sql<{ isHeld: boolean }>`
        insert into notices (user_id, position, at, event)
        select ${userId}, ${position}, ${moment(now)},
          case
            when exists (select from notices where user_id = ${userId} and event is not null)
              then ${JSON.stringify(event)}::jsonb
            when (select count(*) from notices where user_id = ${userId} and event is null and at > ${since}) >= ${limit}
              then ${JSON.stringify(event)}::jsonb
          end
        on conflict (user_id, position) do update set position = excluded.position
        returning event is not null as "isHeld"`.execute(queries);
      return rows[0]?.isHeld ? 'held' : 'send';
    },

    async takeDue({ now, heldBefore, until, limit, each }) {
      // Rows that another server takes at the same time are locked, and then no longer fit the condition.
      const { rows } = await sql<HeldRow>`
        with due as (
          select user_id from notices where event is not null group by user_id
          having min(at) <= ${moment(heldBefore)}
            and coalesce(max(taken_until), '-infinity') <= ${moment(now)}
          order by min(at), user_id limit ${limit}
        ), chosen as (
          select user_id, first.position from due cross join lateral (
            select position from notices
            where user_id = due.user_id and event is not null order by position limit ${each}
          ) as first
        )
        update notices set taken_until = ${moment(until)} from chosen
        where notices.user_id = chosen.user_id and notices.position = chosen.position
          and (notices.taken_until is null or notices.taken_until <= ${moment(now)})
        returning notices.user_id as "userId", notices.position, notices.event`.execute(queries);
      const byUser = Map.groupBy(rows, ({ userId }) => userId);
      return Object.freeze(
        [...byUser].map(([userId, held]) => {
          const sorted = held.toSorted((one, other) => one.position - other.position);
          const notices = sorted.map(({ position, event }) =>
            Object.freeze({ position, event: frozenEvent(event) }),
          );
          return Object.freeze({ userId, notices: Object.freeze(notices) });
        }),
      );
    },

    async settle({ userId, notices }) {
      const told = notices.map(({ position }) => position);
      await sql`delete from notices where user_id = ${userId} and position = any(${told}::bigint[])`.execute(
        queries,
      );
    },

    async forget({ sentBefore, limit }) {
      const { numAffectedRows } = await sql`
        delete from notices where (user_id, position) in (
          select user_id, position from notices
          where event is null and at < ${moment(sentBefore)} limit ${limit}
        )`.execute(queries);
      return Number(numAffectedRows);
    },
  };
}
