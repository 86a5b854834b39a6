import type { SessionRepository, SessionSecretHash } from '@gatehouse/domain/sessions';
import type { UserId } from '@gatehouse/domain/users';
import { onBehalf } from '../database/pool/askers.ts';

/** The maximum number of sessions that are remembered, some hundred bytes each; beyond that the oldest is forgotten. */
const MAX_KNOWN_SESSIONS = 10_000;

/**
 * Reads a session on behalf of its user, once this process has found it. Until then its secret may be made up, and the read is
 * the client's: signed-in users do not wait behind clients that send such secrets.
 */
export function withTurnsOfUsers(sessions: SessionRepository): SessionRepository {
  const users = new Map<SessionSecretHash, UserId>();

  function note(secretHash: SessionSecretHash, userId: UserId): void {
    users.set(secretHash, userId);
    const [oldest] = users.keys();
    if (users.size > MAX_KNOWN_SESSIONS && oldest !== undefined) users.delete(oldest);
  }

  return {
    ...sessions,
    async insert(session, ...guarded) {
      const inserted = await sessions.insert(session, ...guarded);
      if (inserted.ok) note(session.secretHash, session.userId);
      return inserted;
    },
    async find(secretHash) {
      const user = users.get(secretHash);
      const find = () => sessions.find(secretHash);
      const found = await (user === undefined ? find() : onBehalf.ofUser(user, find));
      if (found) note(secretHash, found.userId);
      else users.delete(secretHash);
      return found;
    },
  };
}
