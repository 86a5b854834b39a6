import type { Account, AccountId, AccountRepository } from '../../src/accounts/index.ts';
import type { AuditEvent } from '../../src/audit/index.ts';
import { err, ok } from '../../src/index.ts';
import type { Instant } from '../../src/time/index.ts';
import { isLive } from '../../src/tokens/index.ts';
import { pageOf } from './page-of.ts';
import type { State } from './state.ts';

export function createInMemoryAccountRepository(state: State): AccountRepository {
  async function setSuspension(id: AccountId, suspendedAt: Instant | null, event: AuditEvent) {
    const account = state.accounts.get(id);
    if (!account) return err({ code: 'account_not_found' });
    if ((account.suspendedAt === null) === (suspendedAt === null)) return ok({ account, already: true });
    const changed = { ...account, suspendedAt };
    state.accounts.set(id, changed);
    state.events.push(event);
    return ok({ account: changed, already: false });
  }
  return {
    async insert(account, audit) {
      const created: Account = { id: state.nextId() as AccountId, ...account, suspendedAt: null };
      state.events.push(audit(created));
      state.accounts.set(created.id, created);
      return created;
    },
    async findById(id) {
      return state.accounts.get(id);
    },
    async list({ after, limit }) {
      return pageOf([...state.accounts.values()], after, limit);
    },
    async countUse(id, { at, limit }) {
      const users = [...state.users.values()].filter((user) => user.accountId === id && !user.disabledAt);
      const tokens = [...state.tokens.values()].filter(
        (token) => token.accountId === id && token.kind === 'api',
      );
      const live = tokens.filter((token) => isLive(token, at));
      const organizations = [...state.organizations.values()].filter(({ accountId }) => accountId === id);
      return {
        activeUsers: Math.min(users.length, limit),
        apiTokens: Math.min(live.length, limit),
        organizations: Math.min(organizations.length, limit),
      };
    },
    async listByName(name, limit) {
      return pageOf(
        [...state.accounts.values()].filter((account) => account.name === name),
        undefined,
        limit,
      );
    },
    async rename(id, name, audit) {
      const account = state.accounts.get(id);
      if (!account) return err({ code: 'account_not_found' });
      const event = audit(account);
      if (!state.actorMayAct(event)) return err({ code: 'not_allowed' });
      if (account.name === name) return ok({ account, already: true });
      const changed = { ...account, name };
      state.events.push(event);
      state.accounts.set(id, changed);
      return ok({ account: changed, already: false });
    },
    suspend: setSuspension,
    resume: (id, event) => setSuspension(id, null, event),
  };
}
