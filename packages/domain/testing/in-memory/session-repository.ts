import { err, ok } from '../../src/index.ts';
import {
  isLiveSession,
  type OwnSession,
  type Session,
  type SessionRepository,
} from '../../src/sessions/index.ts';
import type { State, StoredSession } from './state.ts';

export function createInMemorySessionRepository(state: State): SessionRepository {
  const ofUser = (userId: Session['userId']) =>
    [...state.sessions.values()]
      .filter((session) => session.userId === userId)
      .toSorted((one, other) => other.createdAt - one.createdAt || (one.id < other.id ? 1 : -1))
      .map(visible);
  const own = ({ id, userId }: OwnSession) => {
    const session = state.sessions.get(id);
    return session?.userId === userId ? session : undefined;
  };
  return {
    async insert(session, { verifiedHash }, { keep, ...live }, audit) {
      const user = state.users.get(session.userId);
      const account = user && state.accounts.get(user.accountId);
      if (user?.disabledAt !== null || account?.suspendedAt !== null) return err({ code: 'user_not_fit' });
      if (state.passwordHashes.get(user.id) !== verifiedHash) return err({ code: 'password_changed' });
      state.sessions.set(session.id, { ...session, replaced: undefined, isRenewalDue: false });
      state.events.push(audit.created);
      const others = ofUser(user.id).filter((one) => one.id !== session.id && isLiveSession(one, live));
      const surplus = others.slice(keep - 1);
      for (const oldest of surplus) {
        state.sessions.delete(oldest.id);
        state.events.push(audit.ended(oldest));
      }
      return ok(undefined);
    },
    async find(secretHash) {
      const found = [...state.sessions.values()].find(
        (session) => session.secretHash === secretHash || session.replaced?.hash === secretHash,
      );
      if (!found) return undefined;
      const session = visible(found);
      const user = state.users.get(session.userId);
      const account = user && state.accounts.get(user.accountId);
      if (!user || !account) throw new Error('a session without its user or account');
      const { formKey, isRenewalDue, replaced } = found;
      const secretReplacedAt = replaced?.hash === secretHash ? replaced.at : null;
      return { ...session, user, account, formKey, isRenewalDue, secretReplacedAt };
    },
    async touch(id, at) {
      const session = state.sessions.get(id);
      if (session && session.lastSeenAt < at) state.sessions.set(id, { ...session, lastSeenAt: at });
    },
    async confirmPassword(named, at, { verifiedHash }, renewal) {
      if (state.passwordHashes.get(named.userId) !== verifiedHash) return err({ code: 'password_changed' });
      const session = own(named);
      if (session?.secretHash !== renewal.from) return err({ code: 'session_not_found' });
      state.sessions.set(session.id, { ...session, passwordGivenAt: at });
      state.renewSecret(session.id, renewal, at);
      return ok(undefined);
    },
    async renew(named, at, renewal) {
      const session = own(named);
      if (session?.secretHash !== renewal.from) return false;
      state.renewSecret(session.id, renewal, at);
      return true;
    },
    async list(userId, live) {
      return ofUser(userId).filter((session) => isLiveSession(session, live));
    },
    async end(named, event) {
      const session = own(named);
      if (!session) return false;
      state.sessions.delete(session.id);
      state.events.push(event);
      return true;
    },
    async endOthers({ id, userId }, live, audit) {
      const others = ofUser(userId).filter((session) => session.id !== id);
      for (const other of others) state.sessions.delete(other.id);
      const ended = others.filter((session) => isLiveSession(session, live));
      state.events.push(...ended.map(audit));
      return ended.length;
    },
    async endAll({ id, accountId }, live, actor, audit) {
      if (!state.actorMayAct({ actor, accountId })) return err({ code: 'not_allowed' });
      const all = ofUser(id);
      for (const session of all) state.sessions.delete(session.id);
      const ended = all.filter((session) => isLiveSession(session, live));
      state.events.push(...ended.map(audit));
      return ok(ended.length);
    },
    async sweep({ createdBefore, limit }) {
      const swept = [...state.sessions.values()]
        .filter(({ createdAt }) => createdAt < createdBefore)
        .slice(0, limit);
      for (const { id } of swept) state.sessions.delete(id);
      return swept.length;
    },
  };
}

function visible({
  secretHash: _,
  formKey: _key,
  replaced: _replaced,
  isRenewalDue: _due,
  ...session
}: StoredSession): Session {
  return session;
}
