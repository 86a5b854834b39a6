import { err, ok } from '../../src/index.ts';
import type { LinkCodeHash, ResetLinkRepository } from '../../src/links/index.ts';
import type { Instant } from '../../src/time/index.ts';
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
    async redeem(hash, passwordHash, { at, reason }, audit) {
      const found = usable(hash, at);
      if (!found) return err({ code: 'link_not_accepted' });
      const { id } = found.user;
      const event = audit(found.user, found.link);
      state.passwordHashes.set(id, passwordHash);
      state.normalHashes.set(id, passwordHash);
      state.resetLinks.delete(id);
      const madeBy = found.link.madeBy === null ? null : (state.users.get(found.link.madeBy)?.email ?? null);
      state.passwordResets.set(id, { at, madeBy });
      state.events.push(event);
      state.revokeTokensOf(id, { at, by: event.actor, reason }, event, (token) => token.kind === 'sign-in');
      state.endSessionsOf(id);
      return ok(found.user);
    },
    findLastReset: async (id) => state.passwordResets.get(id),
  };
}
