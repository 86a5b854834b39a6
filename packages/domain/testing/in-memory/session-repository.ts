import { err, ok } from '../../src/index.ts';
import {
  isLiveSession,
  type NewSession,
  type OwnSession,
  type Session,
  type SessionBound,
  type SessionRepository,
} from '../../src/sessions/index.ts';
import type { State, StoredSession } from './state.ts';

export function createInMemorySessionRepository(state: State): SessionRepository {
  const ofUser = (userId: Session['userId']) => sessionsOf(state, userId);
  const own = ({ id, userId }: OwnSession) => {
    const session = state.sessions.get(id);
    return session?.userId === userId ? session : undefined;
  };
  return {
    async insert(session, guard, bound, audit) {
      const user = state.users.get(session.userId);
      const account = user && state.accounts.get(user.accountId);
      if (user?.disabledAt !== null || account?.suspendedAt !== null) return err({ code: 'user_not_fit' });
      if (state.haveCredentialsChanged(user.id, guard)) return err({ code: 'password_changed' });
      addSession(state, session, bound, audit);
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
      return {
        ...session,
        user,
        account,
        secondFactor: state.secondFactorOf(user),
        formKey,
        isRenewalDue,
        secretReplacedAt,
      };
    },
    async touch(id, at) {
      const session = state.sessions.get(id);
      if (session && session.lastSeenAt < at) state.sessions.set(id, { ...session, lastSeenAt: at });
    },
    async confirmPassword(named, at, guard, renewal) {
      if (state.haveCredentialsChanged(named.userId, guard)) return err({ code: 'password_changed' });
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
    async endOfProvider({ provider: id, issuer, subject, providerSession, openedBefore }, audit) {
      const isMeant = ({ createdAt, provider }: Session) =>
        provider?.issuer === issuer &&
        createdAt < openedBefore &&
        (subject === null || provider.subject === subject) &&
        (providerSession === null ||
          (provider.provider === id &&
            (provider.providerSession === providerSession ||
              (subject !== null && provider.providerSession === null))));
      const ended = [...state.sessions.values()].filter(isMeant);
      for (const session of ended) {
        const user = state.users.get(session.userId);
        if (!user) throw new Error('a session without its user');
        state.sessions.delete(session.id);
        state.events.push(audit(visible(session), user));
      }
      return ended.length;
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

function sessionsOf(state: State, userId: Session['userId']): Session[] {
  return [...state.sessions.values()]
    .filter((session) => session.userId === userId)
    .toSorted((one, other) => other.createdAt - one.createdAt || (one.id < other.id ? 1 : -1))
    .map(visible);
}

/** Stores a session, and ends the oldest ones if the user has too many. */
export function addSession(
  state: State,
  session: NewSession,
  { keep, ...live }: SessionBound,
  audit: Parameters<SessionRepository['insert']>[3],
): void {
  state.sessions.set(session.id, { ...session, replaced: undefined, isRenewalDue: false });
  state.events.push(audit.created);
  const others = sessionsOf(state, session.userId).filter(
    (one) => one.id !== session.id && isLiveSession(one, live),
  );
  for (const oldest of others.slice(keep - 1)) {
    state.sessions.delete(oldest.id);
    state.events.push(audit.ended(oldest));
  }
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
