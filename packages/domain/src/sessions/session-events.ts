import { eventOf } from '../audit/event-by.ts';
import type { Instant } from '../time/instant.ts';
import type { User } from '../users/user.ts';
import type { Session, SessionId } from './session.ts';

type Owner = Pick<User, 'accountId'>;

/** The event of a sign-in that opened a session. Its user is the actor. */
export function sessionCreated({ id, createdAt }: Session, { accountId }: Owner) {
  return eventOf(createdAt, 'session.created', { id, accountId }, {});
}

/** The event of a session that its user or a newer session of the user ended. */
export function sessionEnded(id: SessionId, { accountId }: Owner, at: Instant, reason: string) {
  return eventOf(at, 'session.ended', { id, accountId }, { reason });
}
