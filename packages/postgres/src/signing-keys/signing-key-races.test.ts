import type { SealedSecret, SigningKey } from '@gatehouse/domain/signing-keys';
import { anEvent, aRevocation, aSigningKey, aToken, givenAdmin, START } from '@gatehouse/domain/testing';
import { tokenRevoked } from '@gatehouse/domain/tokens';
import { afterAll, describe, expect, test } from 'vitest';
import { GATE_HOLDS, openStage, type Part } from '../../testing/stage.ts';

type Outcome = { readonly ok: boolean };

describe('concurrent changes of keys', { timeout: 60_000 }, async () => {
  const stage = await openStage();
  afterAll(stage.close);
  const { store } = stage;

  const sealed = (text: string) => text as SealedSecret;
  const inUse = async () => (await store.signingKeys.list()).filter(({ state }) => state !== 'retired');

  const resealings = (keys: readonly SigningKey[], master: string) =>
    keys.map(({ id, sealedSecret }) => ({ id, from: sealedSecret, to: sealed(master) }));

  /** All keys sealed under the one master key, which their secrets tell of. */
  async function givenKeysUnder(master: string): Promise<readonly SigningKey[]> {
    await store.signingKeys.insert(aSigningKey(), anEvent());
    const keys = await inUse();
    expect(await store.signingKeys.reseal(resealings(keys, master), [])).toMatchObject({ ok: true });
    return inUse();
  }

  const reseal =
    (keys: readonly SigningKey[], master: string): Part<Outcome> =>
    (side) =>
      side.store.signingKeys.reseal(resealings(keys, master), [side.event()]);

  async function givenKey(): Promise<SigningKey> {
    const key = aSigningKey({ state: 'verify-only', activatedAt: START });
    await store.signingKeys.insert(key, anEvent());
    return key;
  }

  const secrets = async () => [...new Set((await inUse()).map(({ sealedSecret }) => sealedSecret))];

  test.each(GATE_HOLDS)(
    'a key created during a rewrap is never stored under the old master key: $letGo',
    async (hold) => {
      const keys = await givenKeysUnder('old');
      const [witness] = keys;
      const add: Part<Outcome> = (side) =>
        side.store.signingKeys.insert(aSigningKey({ sealedSecret: sealed('old') }), side.event(), witness);
      const addedFirst = await stage.race(add, reseal(keys, 'new'), hold);
      expect(addedFirst.map(({ ok }) => ok)).toEqual([true, false]);
      expect(await secrets()).toEqual(['old']);

      const more = await inUse();
      const resealedFirst = await stage.race(reseal(more, 'new'), add, hold);
      expect(resealedFirst.map(({ ok }) => ok)).toEqual([true, false]);
      expect(await secrets()).toEqual(['new']);
    },
  );

  test.each(GATE_HOLDS)('of two concurrent rewraps, one succeeds: $letGo', async (hold) => {
    const keys = await givenKeysUnder('old');
    const outcomes = await stage.race(reseal(keys, 'one'), reseal(keys, 'two'), hold);
    expect(outcomes.map(({ ok }) => ok)).toEqual([true, false]);
    expect(await secrets()).toEqual(['one']);
  });

  test.each(GATE_HOLDS)('a key retires, or gets a token, never both: $letGo', async (hold) => {
    const user = await givenAdmin(store);
    for (const begins of ['one', 'other'] as const) {
      const retiresFirst = begins === 'one';
      const key = await givenKey();
      const retire: Part<Outcome> = (side) =>
        side.store.signingKeys.retire(key.id, START, null, side.event());
      const insert: Part<Outcome> = (side) => side.store.tokens.insert(aToken(user, key), side.event());
      const [retired, inserted] = await stage.race(retire, insert, hold, begins);
      expect([retired.ok, inserted.ok]).toEqual([retiresFirst, !retiresFirst]);
      const stored = await store.signingKeys.findById(key.id);
      expect(stored?.state).toBe(retiresFirst ? 'retired' : 'verify-only');
      const live = (await store.signingKeys.countLiveTokens(START)).get(key.id);
      expect(live?.count).toBe(retiresFirst ? undefined : 1);
    }
  });

  test.each(GATE_HOLDS)(
    'a token that is revoked while its key is retired with all tokens ends once: $letGo',
    async (hold) => {
      const user = await givenAdmin(store);
      for (const begins of ['one', 'other'] as const) {
        const key = await givenKey();
        const token = aToken(user, key);
        await store.tokens.insert(token, anEvent());
        const retire: Part<unknown> = (side) =>
          side.store.signingKeys.retire(key.id, START, aRevocation({ reason: 'one' }), side.event());
        const event = tokenRevoked(token, aRevocation());
        const revoke: Part<unknown> = (side) =>
          side.store.tokens.revoke(token.id, aRevocation({ reason: 'other' }), side.event(event));
        await stage.race(retire, revoke, hold, begins);
        expect((await store.tokens.findRecord(token.id))?.revocation?.reason).toBe(begins);
        expect((await store.signingKeys.findById(key.id))?.state).toBe('retired');
        const subject = { type: 'token', id: token.id } as const;
        expect(await store.audit.list({ subject, actions: ['token.revoked'], limit: 5 })).toHaveLength(1);
      }
    },
  );
});
