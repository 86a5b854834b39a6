import { describe, expect, test } from 'vitest';
import { err, type KeyId, later, ok } from '../../src/index.ts';
import { anEvent, aSigningKey, START } from '../fixtures.ts';
import type { OpenRepositories } from '../repositories.ts';
import { isDeeplyFrozen } from './is-deeply-frozen.ts';
import { newestEvent, openStore } from './open-store.ts';

const UNKNOWN = 'key-unknown' as KeyId;

export function signingKeyRepositoryContract(name: string, open: OpenRepositories): void {
  describe(`${name} keeps the contract of SigningKeyRepository`, () => {
    const store = openStore(open);

    test('of the first keys of a format, tried at once, one is stored, with its event', async () => {
      const { signingKeys, audit } = store();
      const keys = [1, 2, 3].map(() => aSigningKey({ state: 'active', activatedAt: START }));
      const event = (id: KeyId) => anEvent({ action: 'key.created', subject: { type: 'key', id } });
      const outcomes = await Promise.all(keys.map((key) => signingKeys.insertFirst(key, event(key.id))));
      expect(outcomes.filter(Boolean)).toHaveLength(1);
      const stored = keys[outcomes.indexOf(true)];
      expect(await signingKeys.list()).toEqual([stored]);
      expect(await signingKeys.findActive('paseto')).toEqual(stored);
      const entries = await audit.list({ limit: 5 });
      expect(entries.map((entry) => entry.event)).toEqual([event(stored?.id as KeyId)]);
      expect(await signingKeys.findActive('jwt')).toBeUndefined();
    });

    test('a key is read as it was stored, bytes and all', async () => {
      const publicKey = Uint8Array.from({ length: 32 }, (_, index) => index * 8);
      const key = aSigningKey({ publicKey, format: 'jwt' });
      await store().signingKeys.insert(key, anEvent());
      const found = await store().signingKeys.findById(key.id);
      expect(found).toEqual(key);
      expect(found).toSatisfy(isDeeplyFrozen);
      expect(found?.publicKey).toBeInstanceOf(Uint8Array);
      expect(await store().signingKeys.findById(UNKNOWN)).toBeUndefined();
    });

    test('activating a staged key makes the active one verify-only in the same step', async () => {
      const { signingKeys } = store();
      const before = await signingKeys.findActive('paseto');
      const key = aSigningKey();
      await signingKeys.insert(key, anEvent());
      const activated = await signingKeys.activate(
        key.id,
        later(START, 5000),
        anEvent({ action: 'key.activated' }),
      );
      expect(activated).toEqual(ok({ ...key, state: 'active', activatedAt: later(START, 5000) }));
      expect((await signingKeys.findActive('paseto'))?.id).toBe(key.id);
      expect((await signingKeys.findById(before?.id as KeyId))?.state).toBe('verify-only');
      expect((await newestEvent(store()))?.action).toBe('key.activated');
      expect(await signingKeys.activate(key.id, START, anEvent())).toEqual(
        err({ code: 'key_state_conflict', state: 'active' }),
      );
      expect(await signingKeys.activate(UNKNOWN, START, anEvent())).toEqual(err({ code: 'key_not_found' }));
    });

    test('keys activated at once leave one active', async () => {
      const { signingKeys } = store();
      const keys = [aSigningKey(), aSigningKey(), aSigningKey()];
      for (const key of keys) await signingKeys.insert(key, anEvent());
      const outcomes = await Promise.all(keys.map((key) => signingKeys.activate(key.id, START, anEvent())));
      expect(outcomes.every((outcome) => outcome.ok)).toBe(true);
      const active = (await signingKeys.list()).filter(
        ({ format, state }) => format === 'paseto' && state === 'active',
      );
      expect(active).toHaveLength(1);
    });

    test('only a verify-only key is retired', async () => {
      const { signingKeys } = store();
      const [old, fresh] = [aSigningKey(), aSigningKey()];
      for (const key of [old, fresh]) await signingKeys.insert(key, anEvent());
      const conflict = (state: string) => err({ code: 'key_state_conflict', state });
      expect(await signingKeys.retire(old.id, START, anEvent())).toEqual(conflict('staged'));
      await signingKeys.activate(old.id, START, anEvent());
      expect(await signingKeys.retire(old.id, START, anEvent())).toEqual(conflict('active'));
      await signingKeys.activate(fresh.id, START, anEvent());
      const retired = await signingKeys.retire(old.id, START, anEvent({ action: 'key.retired' }));
      expect(retired).toMatchObject(ok({ id: old.id, state: 'retired', retiredAt: START }));
      expect(await signingKeys.retire(old.id, START, anEvent())).toEqual(conflict('retired'));
      expect(await signingKeys.retire(UNKNOWN, START, anEvent())).toEqual(err({ code: 'key_not_found' }));
      expect((await newestEvent(store()))?.action).toBe('key.retired');
    });

    test('keys are listed oldest first', async () => {
      const { signingKeys } = store();
      const ages = [7000, 1000, 3000];
      for (const age of ages)
        await signingKeys.insert(aSigningKey({ createdAt: later(START, age) }), anEvent());
      const created = (await signingKeys.list()).map((key) => key.createdAt);
      expect(created).toEqual(created.toSorted((a, b) => a - b));
    });
  });
}
