import { type Account, type AccountId, type AccountRepository, err, ok } from '../../src/index.ts';
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
    async list() {
      return [...state.accounts.values()].sort((a, b) => a.id - b.id);
    },
    async suspend(id, at, event) {
      const account = state.accounts.get(id);
      if (!account) return err({ code: 'account_not_found' });
      if (account.suspendedAt !== null) return ok(account);
      const suspended = { ...account, suspendedAt: at };
      state.accounts.set(id, suspended);
      state.events.push(event);
      return ok(suspended);
    },
    async resume(id, event) {
      const account = state.accounts.get(id);
      if (!account) return err({ code: 'account_not_found' });
      if (account.suspendedAt === null) return ok(account);
      const resumed = { ...account, suspendedAt: null };
      state.accounts.set(id, resumed);
      state.events.push(event);
      return ok(resumed);
    },
  };
}
