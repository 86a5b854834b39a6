import type { Session, SessionId } from '@gatehouse/domain/sessions';
import type { UserId } from '@gatehouse/domain/users';
import type { Queries } from '../database/schema.ts';
import { sessionColumns, toSession } from './session-records.ts';

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
