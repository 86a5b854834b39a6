import {
  err,
  type KeyId,
  type KeyState,
  ok,
  type SigningKey,
  type SigningKeyRepository,
} from '../../src/index.ts';
import type { State } from './state.ts';

export function createInMemorySigningKeyRepository(state: State): SigningKeyRepository {
  const keys = () => [...state.keys.values()];
  const activeOf = (format: SigningKey['format']) =>
    keys().find((key) => key.format === format && key.state === 'active');

  function change(id: KeyId, from: KeyState, to: (key: SigningKey) => SigningKey) {
    const key = state.keys.get(id);
    if (!key) return err({ code: 'key_not_found' } as const);
    if (key.state !== from) return err({ code: 'key_state_conflict', state: key.state } as const);
    const changed = to(key);
    state.keys.set(id, changed);
    return ok(changed);
  }

  return {
    async insert(key, event) {
      state.keys.set(key.id, key);
      state.events.push(event);
    },
    async insertFirst(key, event) {
      if (keys().some(({ format }) => format === key.format)) return false;
      state.keys.set(key.id, key);
      state.events.push(event);
      return true;
    },
    async findById(id) {
      return state.keys.get(id);
    },
    async findActive(format) {
      return activeOf(format);
    },
    async list() {
      return keys().sort((a, b) => a.createdAt - b.createdAt || (a.id < b.id ? -1 : 1));
    },
    async activate(id, at, event) {
      const activated = change(id, 'staged', (key) => {
        const before = activeOf(key.format);
        if (before) state.keys.set(before.id, { ...before, state: 'verify-only' });
        return { ...key, state: 'active', activatedAt: at };
      });
      if (activated.ok) state.events.push(event);
      return activated;
    },
    async retire(id, at, event) {
      const retired = change(id, 'verify-only', (key) => ({ ...key, state: 'retired', retiredAt: at }));
      if (retired.ok) state.events.push(event);
      return retired;
    },
  };
}
