import type { Session, SessionId } from '@gatehouse/domain/sessions';
import type { UserId } from '@gatehouse/domain/users';
import type { Selection } from 'kysely';
import type { Queries, Schema } from '../database/schema.ts';

/** Selects sessions in the domain's form, without the hashes of their secrets. */
export function selectSessions(db: Queries) {
  return db.selectFrom('sessions').select(sessionColumns);
}

export const sessionColumns = [
  'sessions.id',
  'sessions.user_id',
  'sessions.created_at',
  'sessions.last_seen_at',
  'sessions.password_given_at',
  'sessions.origin',
  'sessions.user_agent',
] as const;

export function toSession(row: Selection<Schema, 'sessions', (typeof sessionColumns)[number]>): Session {
  return Object.freeze({
    id: row.id,
    userId: row.user_id,
    createdAt: row.created_at,
    lastSeenAt: row.last_seen_at,
    passwordGivenAt: row.password_given_at,
    origin: row.origin,
    userAgent: row.user_agent,
  });
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
