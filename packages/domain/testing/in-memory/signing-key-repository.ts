import type { AuditEvent } from '../../src/audit/index.ts';
import { err, ok, type Result } from '../../src/index.ts';
import {
  type KeyId,
  type KeyState,
  type KeysChanged,
  retirableAt,
  type SigningKey,
  type SigningKeyRepository,
  type Witness,
} from '../../src/signing-keys/index.ts';
import type { Instant } from '../../src/time/index.ts';
import { isLive, type Revocation, type Token } from '../../src/tokens/index.ts';
import type { State } from './state.ts';

export function createInMemorySigningKeyRepository(state: State): SigningKeyRepository {
  const keys = () => [...state.keys.values()];
  const activeOf = (format: SigningKey['format']) =>
    keys().find((key) => key.format === format && key.state === 'active');

  function find(id: KeyId, needed: KeyState) {
    const key = state.keys.get(id);
    if (!key) return err({ code: 'key_not_found' } as const);
    if (key.state !== needed) return err({ code: 'key_state_conflict', state: key.state, needed } as const);
    return ok(key);
  }

  function store(key: SigningKey, event: AuditEvent): SigningKey {
    state.keys.set(key.id, key);
    state.events.push(event);
    return key;
  }

  const holds = ({ id, sealedSecret }: Witness) => {
    const key = state.keys.get(id);
    return key?.sealedSecret === sealedSecret && key.state !== 'retired';
  };

  return {
    async insert(key, event, witness) {
      if (witness && !holds(witness)) return CHANGED;
      store(key, event);
      return ok(undefined);
    },
    async insertFirst(key, event, witness) {
      if (keys().some(({ format }) => format === key.format)) return ok(false);
      if (witness ? !holds(witness) : keys().some(isInUse)) return CHANGED;
      store(key, event);
      return ok(true);
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
    async countLiveTokens(at) {
      const ids = new Set([...state.tokens.values()].map(({ keyId }) => keyId));
      const summaries = [...ids].map((id) => [id, summaryOf(liveTokens(state, id, at))] as const);
      return new Map(summaries.filter(([, { count }]) => count > 0));
    },
    async findLastUse(id, at) {
      const uses = liveTokens(state, id, at).map((token) => state.usage.get(token.id)?.lastUsedAt ?? null);
      return latest(uses);
    },
    async activate(id, at, event) {
      const found = find(id, 'staged');
      if (!found.ok) return found;
      const before = activeOf(found.value.format);
      if (before) state.keys.set(before.id, { ...before, state: 'verify-only' });
      return ok(store({ ...found.value, state: 'active', activatedAt: at }, event));
    },
    async retire(id, at, revocation, event) {
      const found = find(id, 'verify-only');
      if (!found.ok) return found;
      const tokens = liveTokens(state, id, at);
      if (tokens.length > 0 && !revocation) {
        const when = retirableAt(found.value, summaryOf(tokens), at);
        return err({ code: 'key_in_use', liveTokens: tokens.length, retirableAt: when });
      }
      for (const token of tokens) state.revoke(token, revocation as Revocation, event);
      const key = store({ ...found.value, state: 'retired', retiredAt: at }, event);
      return ok({ key, revokedTokens: tokens.length });
    },
    async reseal(resealings, events) {
      const listed = new Map(resealings.map((resealing) => [resealing.id, resealing]));
      const inUse = keys().filter(isInUse);
      const all = state.sealKey ? [...inUse, state.sealKey] : inUse;
      const complete =
        all.length === listed.size && all.every((key) => listed.get(key.id)?.from === key.sealedSecret);
      if (!complete) return CHANGED;
      const { sealKey } = state;
      const resealed = sealKey && listed.get(sealKey.id)?.to;
      if (sealKey && resealed) state.sealKey = { ...sealKey, sealedSecret: resealed };
      for (const key of inUse) {
        const { to = key.sealedSecret } = listed.get(key.id) ?? {};
        if (to !== key.sealedSecret) state.keys.set(key.id, { ...key, sealedSecret: to });
      }
      state.events.push(...events);
      return ok(undefined);
    },
  };
}

const CHANGED: Result<never, KeysChanged> = err({ code: 'keys_changed' });

function isInUse(key: SigningKey): boolean {
  return key.state !== 'retired';
}

function liveTokens(state: State, id: KeyId, at: Instant): readonly Token[] {
  return [...state.tokens.values()].filter((token) => token.keyId === id && isLive(token, at));
}

function summaryOf(tokens: readonly Token[]) {
  const expiries = tokens.map(({ expiresAt }) => expiresAt);
  const withoutExpiry = expiries.filter((expiry) => expiry === null).length;
  return { count: tokens.length, withoutExpiry, lastExpiry: latest(expiries) };
}

function latest(instants: readonly (Instant | null)[]): Instant | null {
  return instants.reduce(
    (last, each) => (last === null || (each !== null && each > last) ? each : last),
    null,
  );
}
