import { eventOf } from '../audit/event-by.ts';
import type { Instant } from '../time/instant.ts';
import type { User } from '../users/user.ts';
import type { Session, SessionId } from './session.ts';

type Owner = Pick<User, 'accountId'>;

/** The event of a sign-in that opened a session. The actor is the user who signed in. */
export function sessionCreated({ id, createdAt }: Session, { accountId }: Owner) {
  return eventOf(createdAt, 'session.created', { id, accountId }, {});
}

/**
 * The event of an ended session. The user ended the session, or it was the oldest session when the user signed in
 * again.
 */
export function sessionEnded(id: SessionId, { accountId }: Owner, at: Instant, reason: string) {
  return eventOf(at, 'session.ended', { id, accountId }, { reason });
}
