import { err, ok } from '../../src/index.ts';
import type { HandleSecret, Service, ServiceRepository } from '../../src/services/index.ts';
import type { State } from './state.ts';

const HANDLE_SECRET = Uint8Array.from({ length: 32 }, (_, index) => index) as HandleSecret;

export function createInMemoryServiceRepository(state: State): ServiceRepository {
  const knows = ({ openTo }: Service) => openTo === 'all' || openTo.every((id) => state.accounts.has(id));
  return {
    async insert(service, event) {
      const isInUse = [...state.tokens.values()].some(({ scopes }) =>
        scopes.some((scope) => scope.startsWith(`${service.name}:`)),
      );
      if (isInUse || state.services.has(service.name)) return err({ code: 'service_name_taken' });
      if (!knows(service)) return err({ code: 'account_not_found' });
      state.services.set(service.name, service);
      state.events.push(event);
      return ok(undefined);
    },
    async list() {
      return [...state.services.values()].sort((one, other) => (one.name < other.name ? -1 : 1));
    },
    async update(name, change, audit) {
      const before = state.services.get(name);
      if (!before || before.deletedAt !== null) return err({ code: 'service_not_found' });
      const changed = change(before);
      if (!changed.ok) return changed;
      const after = changed.value;
      if (after === before) return ok({ before, after });
      if (!knows(after)) return err({ code: 'account_not_found' });
      state.services.set(name, after);
      state.events.push(audit(before, after));
      return ok({ before, after });
    },
    async findCredentialUses(ids) {
      return new Map([...state.credentialUses].filter(([id]) => ids.includes(id)));
    },
    findHandleSecret: async () => HANDLE_SECRET,
  };
}
