import { err, ok } from '../../src/index.ts';
import type { LinkCodeHash, ResetLinkRepository } from '../../src/links/index.ts';
import { addMilliseconds, type Instant } from '../../src/time/index.ts';
import { emailKey } from '../../src/users/index.ts';
import type { State } from './state.ts';

export function createInMemoryResetLinkRepository(state: State): ResetLinkRepository {
  function usable(hash: LinkCodeHash, at: Instant) {
    const found = [...state.resetLinks.values()].find(({ codeHash }) => codeHash === hash);
    const user = found && state.users.get(found.userId);
    if (!found || !user || found.expiresAt <= at || user.disabledAt !== null) return undefined;
    if (state.accounts.get(user.accountId)?.suspendedAt !== null) return undefined;
    const { codeHash: _, ...link } = found;
    const mayBeUsed =
      link.madeBy === null ||
      (!state.onceAdmins.has(user.id) && state.isActiveAdmin(link.madeBy, user.accountId));
    if (link.isRequested && state.onceAdmins.has(user.id)) return undefined;
    return mayBeUsed ? { link, user } : undefined;
  }
  return {
    async insert(link, event) {
      if (!state.actorMayAct(event)) return err({ code: 'not_allowed' });
      const user = state.users.get(link.userId);
      if (user?.kind !== 'person') return err({ code: 'user_not_found' });
      if (user.disabledAt !== null) return err({ code: 'user_disabled' });
      if (link.madeBy !== null && state.onceAdmins.has(user.id)) return err({ code: 'link_for_admin' });
      state.resetLinks.set(user.id, link);
      state.events.push(event);
      return ok(user);
    },
    findByCode: async (hash, at) => usable(hash, at),
    async renewCode({ userId, createdAt }, codeHash, at) {
      const stored = state.resetLinks.get(userId);
      const isIt = stored?.isMailed && stored.createdAt === createdAt;
      const found = isIt ? usable(stored.codeHash, at) : undefined;
      if (stored && found) state.resetLinks.set(userId, { ...stored, codeHash });
      return found;
    },
    async request({ email, at, pauseMs }, make) {
      const key = emailKey(email);
      const last = state.resetRequests.get(key);
      if (last !== undefined && addMilliseconds(last, pauseMs) > at) return;
      state.resetRequests.set(key, at);
      const user = [...state.users.values()].find((each) => emailKey(each.email) === key);
      if (user?.kind !== 'person' || user.disabledAt !== null || state.onceAdmins.has(user.id)) return;
      if (state.accounts.get(user.accountId)?.suspendedAt !== null) return;
      if (!state.meansOf(user.id).hasPassword) return;
      const open = state.resetLinks.get(user.id);
      if (open && !open.isMailed && usable(open.codeHash, at)) return;
      const { link, event } = make(user);
      state.resetLinks.set(user.id, link);
      state.events.push(event);
    },
    async forgetRequests({ before, limit }) {
      const old = [...state.resetRequests].filter(([, at]) => at < before).slice(0, limit);
      for (const [key] of old) state.resetRequests.delete(key);
      return old.length;
    },
    async redeem(hash, passwordHash, { at, reason }, audit) {
      const found = usable(hash, at);
      if (!found) return err({ code: 'link_not_accepted' });
      const { id } = found.user;
      const event = audit.reset(found.user, found.link);
      state.passwordHashes.set(id, passwordHash);
      state.normalHashes.set(id, passwordHash);
      state.resetLinks.delete(id);
      const { madeBy: maker, isMailed, isRequested } = found.link;
      const madeBy = isRequested
        ? found.user.email
        : maker === null
          ? null
          : (state.users.get(maker)?.email ?? null);
      state.passwordResets.set(id, { at, madeBy });
      state.events.push(event);
      state.revokeTokensOf(id, { at, by: event.actor, reason }, event, (token) => token.kind === 'sign-in');
      state.endSessionsOf(id);
      if (isMailed && state.meansOf(id).emailProvedAt === null) {
        state.setMeans(id, { emailProvedAt: at });
        state.events.push(audit.proved(found.user));
      }
      return ok(found.user);
    },
    findLastReset: async (id) => state.passwordResets.get(id),
  };
}
