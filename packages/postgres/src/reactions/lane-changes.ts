import type { HolderId, Lane, ReactionName } from '@gatehouse/domain/reactions';
import { formatInstant, type Instant } from '@gatehouse/domain/time';
import type { Queries } from '../database/schema.ts';

/** Locks the row of the reaction, if the holder is the given one. Other changes of its lanes wait. */
export async function lockReaction(tx: Queries, name: ReactionName, holder?: HolderId) {
  const row = tx.selectFrom('reactions').select('position').where('name', '=', name).forUpdate();
  return (holder === undefined ? row : row.where('holder', '=', holder)).executeTakeFirst();
}

/** Sets the time of the next try of a lane, or deletes the lane if no event waits in it. */
export async function tryAt(tx: Queries, reaction: ReactionName, lane: Lane, at: Instant): Promise<void> {
  const waits = await tx
    .selectFrom('reaction_deliveries')
    .select('id')
    .where('reaction', '=', reaction)
    .where('lane', '=', lane)
    .where('parked_at', 'is', null)
    .limit(1)
    .executeTakeFirst();
  if (!waits) {
    await tx.deleteFrom('reaction_lanes').where('reaction', '=', reaction).where('lane', '=', lane).execute();
    return;
  }
  const next = { next_at: formatInstant(at) };
  await tx
    .insertInto('reaction_lanes')
    .values({ reaction, lane, ...next })
    .onConflict((conflict) => conflict.columns(['reaction', 'lane']).doUpdateSet(next))
    .execute();
}
