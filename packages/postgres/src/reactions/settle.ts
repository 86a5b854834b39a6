import type { Lane, ReactionName, ReactionRepository } from '@gatehouse/domain/reactions';
import { formatInstant } from '@gatehouse/domain/time';
import { sql } from 'kysely';
import type { Queries } from '../database/schema.ts';
import { lockReaction, tryAt } from './lane-changes.ts';

/**
 * Stores what became of a lane's events. The commit is not waited for on disk: after a crash, the events are handled
 * again, which handlers must bear anyway. So the lanes of a reaction do not wait for the disk one after the other.
 */
export function settleIn(queries: Queries): ReactionRepository['settle'] {
  return (name, holder, { lane, done, failed }, now) =>
    queries.transaction().execute(async (tx) => {
      await sql`select set_config('synchronous_commit', 'off', true)`.execute(tx);
      if (!(await lockReaction(tx, name, holder))) return false;
      if (done.length > 0)
        await tx
          .deleteFrom('reaction_deliveries')
          .where('reaction', '=', name)
          .where('id', 'in', done)
          .execute();
      let nextAt = now;
      if (failed) {
        const { id, tries, problem, next } = failed;
        const parkedAt = 'parkedAt' in next ? formatInstant(next.parkedAt) : null;
        await tx
          .updateTable('reaction_deliveries')
          .set({ tries, problem, parked_at: parkedAt })
          .where('reaction', '=', name)
          .where('id', '=', id)
          .where('parked_at', 'is', null)
          .execute();
        // An operator may have skipped it, or may have put an earlier one in front of it.
        if ('retryAt' in next && (await isFirst(tx, name, lane, id))) nextAt = next.retryAt;
      }
      await tryAt(tx, name, lane, nextAt);
      return true;
    });
}

async function isFirst(tx: Queries, reaction: ReactionName, lane: Lane, id: number): Promise<boolean> {
  const first = await tx
    .selectFrom('reaction_deliveries')
    .select('id')
    .where('reaction', '=', reaction)
    .where('lane', '=', lane)
    .where('parked_at', 'is', null)
    .orderBy('position')
    .limit(1)
    .executeTakeFirst();
  return first?.id === id;
}
