import type { AuditEvent } from '../../src/audit/index.ts';
import { err, ok } from '../../src/index.ts';
import {
  isLive,
  type Revocation,
  TOKEN_KINDS,
  type TokenDetails,
  type TokenKind,
} from '../../src/tokens/index.ts';
import type { PasswordHash, Role, User, UserId, UserRepository } from '../../src/users/index.ts';
import { emailKey, formerEmailKey, namesTaken, sortedRenames, transfersOf } from '../../src/users/index.ts';
import { accountUsers, isFoundBy } from './account-users.ts';
import { pageOf } from './page-of.ts';
import { applyFates, refuseFates } from './service-accounts.ts';
import type { State } from './state.ts';
import { tokenReading } from './token-reading.ts';
import { refuseTransfer, renamesOf, transferTokens } from './token-transfer.ts';

const NOTHING_DONE = {
  transferred: 0,
  renamed: [],
  revoked: 0,
  serviceAccounts: { disabled: 0, given: 0, left: 0 },
} as const;

export function createInMemoryUserRepository(state: State): UserRepository {
  const byEmail = (email: string) => {
    const users = [...state.users.values()];
    return (
      users.find((user) => formerEmailKey(user.email) === formerEmailKey(email)) ??
      users.find((user) => emailKey(user.email) === emailKey(email))
    );
  };
  function change(user: User, changes: Partial<User>, event: AuditEvent) {
    const changed = { ...user, ...changes };
    state.users.set(user.id, changed);
    state.events.push(event);
    return { user: changed, already: false };
  }
  function setHash(id: UserId, hash: PasswordHash, revocation: Revocation, event: AuditEvent): number {
    state.passwordHashes.set(id, hash);
    state.normalHashes.set(id, hash);
    state.setMeans(id, { hasPassword: true });
    state.resetLinks.delete(id);
    state.events.push(event);
    return state.revokeTokensOf(id, revocation, event, (token) => token.kind === 'sign-in');
  }
  return {
    async insert({ passwordHash, ...user }, audit) {
      if (!state.accounts.has(user.accountId)) return err({ code: 'account_not_found' });
      if (byEmail(user.email)) return err({ code: 'email_taken' });
      const created: User = {
        id: state.nextId() as UserId,
        kind: 'person',
        ...user,
        disabledAt: null,
        confirmedUntil: null,
      };
      state.events.push(audit(created));
      state.users.set(created.id, created);
      if (created.role === 'admin') state.onceAdmins.set(created.id, true);
      state.passwordHashes.set(created.id, passwordHash);
      state.normalHashes.set(created.id, passwordHash);
      state.means.set(created.id, { emailProvedAt: created.createdAt });
      return ok(created);
    },
    findById: async (id) => state.users.get(id),
    async findByEmail(email) {
      return byEmail(email);
    },
    async findCredentials(email) {
      const user = byEmail(email);
      const account = user && state.accounts.get(user.accountId);
      const passwordHash = user && state.passwordHashes.get(user.id);
      if (!user || !account || !passwordHash) return undefined;
      const isNormal = state.normalHashes.get(user.id) === passwordHash;
      const passwordForm = isNormal ? 'normal' : 'as-typed';
      return { user, account, passwordHash, passwordForm, secondFactor: state.secondFactorOf(user) };
    },
    ...accountUsers(state),
    async list({ accountId, search, after, limit }) {
      const listed = [...state.users.values()].filter(
        (user) => (accountId === undefined || user.accountId === accountId) && isFoundBy(user, search),
      );
      return pageOf(listed, after, limit);
    },
    async listAdmins(accountId, limit) {
      const admins = [...state.users.values()].filter(
        (user) =>
          user.accountId === accountId &&
          user.kind === 'person' &&
          user.role === 'admin' &&
          user.disabledAt === null,
      );
      return pageOf(admins, undefined, limit);
    },
    // It stores no keys.
    listStrayEmails: async () => [],
    async listLiveTokens(userId, { at, limit }) {
      const all = await tokenReading(state).list({ userId, now: at, limit: Number.POSITIVE_INFINITY });
      const end = (token: TokenDetails) => token.expiresAt ?? Number.POSITIVE_INFINITY;
      const ofKind = (kind: TokenKind) =>
        all
          .filter((token) => token.kind === kind && isLive(token, at))
          .toSorted((a, b) => (end(a) < end(b) ? -1 : 1));
      return TOKEN_KINDS.flatMap(ofKind).slice(0, limit);
    },
    async disable(id, revocation, event, options = {}) {
      const { renameTaken = false, serviceAccounts: fates = new Map() } = options;
      if (!state.actorMayAct(event)) return err({ code: 'not_allowed' });
      const user = state.users.get(id);
      if (!user) return err({ code: 'user_not_found' });
      if (user.disabledAt !== null) return ok({ user, already: true, ...NOTHING_DONE });
      if (isLastAdmin(state, user)) return err({ code: 'last_admin' });
      const planned = transfersOf(options).map((transfer) => ({ ...transfer, from: user }));
      const refusal =
        planned.map((each) => refuseTransfer(state, each, event)).find((each) => each !== undefined) ??
        refuseFates(state, user, fates);
      if (refusal) return err(refusal);
      const renames = planned.map((each) => renamesOf(state, each, revocation.at));
      const renamed = sortedRenames(renames);
      if (renamed.length > 0 && !renameTaken) return err(namesTaken(renamed));
      let transferred = 0;
      for (const [index, each] of planned.entries())
        transferred += transferTokens(state, each, renames[index] ?? [], event);
      const serviceAccounts = applyFates(state, user, fates, revocation, event);
      const disabled = change(user, { disabledAt: revocation.at }, event);
      const revoked = state.revokeTokensOf(id, revocation, event, () => true);
      state.endSessionsOf(id);
      state.endLinksOf(id, event);
      return ok({ ...disabled, transferred, renamed, revoked, serviceAccounts });
    },
    async enable(id, event) {
      if (!state.actorMayAct(event)) return err({ code: 'not_allowed' });
      const user = state.users.get(id);
      if (!user) return err({ code: 'user_not_found' });
      if (user.disabledAt === null) return ok({ user, already: true });
      return ok(change(user, { disabledAt: null }, event));
    },
    async setRole(id, role, audit) {
      const user = state.users.get(id);
      if (!user) return err({ code: 'user_not_found' });
      const event = audit(user);
      if (!state.actorMayAct(event)) return err({ code: 'not_allowed' });
      if (user.role === role) return ok({ user, already: true });
      if (user.disabledAt === null && isLastAdmin(state, user)) return err({ code: 'last_admin' });
      return ok({ user: changeRole(state, user, role, event), already: false });
    },
    async rename(id, name, audit) {
      const user = state.users.get(id);
      if (!user || user.disabledAt !== null) return err({ code: 'user_not_found' });
      if (user.name === name) return ok({ user, already: true });
      return ok(change(user, { name }, audit(user)));
    },
    async setPassword(id, hash, revocation, event) {
      const user = state.users.get(id);
      if (user?.kind !== 'person') return err({ code: 'user_not_found' });
      const signedOut = setHash(id, hash, revocation, event);
      state.endSessionsOf(id);
      return ok({ user, signedOut });
    },
    async changePassword(id, hash, { kept, renewal, ...verified }, revocation, event) {
      if (state.haveCredentialsChanged(id, verified)) return err({ code: 'password_changed' });
      const session = state.sessions.get(kept);
      if (session?.userId !== id || session.secretHash !== renewal.from) {
        return err({ code: 'session_not_found' });
      }
      setHash(id, hash, revocation, event);
      state.endSessionsOf(id, kept);
      state.renewSecret(kept, renewal, revocation.at);
      return ok(undefined);
    },
    async replacePasswordHash(id, { verified, hash, form }) {
      if (state.passwordHashes.get(id) !== verified) return;
      state.passwordHashes.set(id, hash);
      if (form === 'normal') state.normalHashes.set(id, hash);
      else state.normalHashes.delete(id);
    },
  };
}

/** Whether the user is the last person who is an active admin of the account. */
export function isLastAdmin(state: State, user: User): boolean {
  const others = [...state.users.values()].filter(({ id }) => id !== user.id);
  return (
    user.kind === 'person' &&
    user.role === 'admin' &&
    !others.some(({ id }) => state.isActiveAdmin(id, user.accountId))
  );
}

/** Changes the role, and what depends on it. */
export function changeRole(state: State, user: User, role: Role, event: AuditEvent): User {
  const changed = { ...user, role };
  state.renewSessionsOf(user.id);
  if (role === 'admin') state.onceAdmins.set(user.id, true);
  state.users.set(user.id, changed);
  state.events.push(event);
  state.endLinksOf(user.id, event);
  return changed;
}
