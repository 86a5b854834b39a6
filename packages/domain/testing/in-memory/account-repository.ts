import type { Account, AccountId, AccountRepository } from '../../src/accounts/index.ts';
import { err, ok } from '../../src/index.ts';
import { isLive } from '../../src/tokens/index.ts';
import { pageOf } from './page-of.ts';
import type { State } from './state.ts';

export function createInMemoryAccountRepository(state: State): AccountRepository {
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
      const users = [...state.users.values()].filter(
        ({ accountId, disabledAt }) => accountId === id && disabledAt === null,
      );
      const tokens = [...state.tokens.values()].filter(
        (token) => token.accountId === id && isLive(token, at),
      );
      return {
        activeUsers: Math.min(users.length, limit),
        liveTokens: Math.min(tokens.length, limit),
      };
    },
    async suspend(id, at, event) {
      const account = state.accounts.get(id);
      if (!account) return err({ code: 'account_not_found' });
      if (account.suspendedAt !== null) return ok({ account, already: true });
      const suspended = { ...account, suspendedAt: at };
      state.accounts.set(id, suspended);
      state.events.push(event);
      return ok({ account: suspended, already: false });
    },
    async resume(id, event) {
      const account = state.accounts.get(id);
      if (!account) return err({ code: 'account_not_found' });
      if (account.suspendedAt === null) return ok({ account, already: true });
      const resumed = { ...account, suspendedAt: null };
      state.accounts.set(id, resumed);
      state.events.push(event);
      return ok({ account: resumed, already: false });
    },
  };
}
