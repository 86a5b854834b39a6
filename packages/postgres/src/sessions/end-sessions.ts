import type { OwnSession, Session, SessionId } from '@gatehouse/domain/sessions';
import type { UserId } from '@gatehouse/domain/users';
import type { Queries } from '../database/schema.ts';
import { sessionColumns, toSession } from './session-records.ts';

/** Locks the user's session, and returns whether there is one. The caller holds the user's row. */
export async function lockSession(tx: Queries, { id, userId }: OwnSession): Promise<boolean> {
  const own = tx.selectFrom('sessions').select('id').where('id', '=', id).where('user_id', '=', userId);
  return (await own.forNoKeyUpdate().executeTakeFirst()) !== undefined;
}

/**
 * Ends the user's sessions except for the kept one, and returns them, the newest first. The caller holds the user's
 * row, so that no session is made meanwhile.
 */
export async function endSessionsOf(
  tx: Queries,
  userId: UserId,
  kept?: SessionId,
): Promise<readonly Session[]> {
  // sessions_user_id
  const all = tx.deleteFrom('sessions').where('user_id', '=', userId).returning(sessionColumns);
  const ended = await (kept === undefined ? all : all.where('id', '<>', kept)).execute();
  return ended.map(toSession).toSorted((one, other) => other.createdAt - one.createdAt);
}
