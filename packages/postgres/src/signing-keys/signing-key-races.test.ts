import type { SealedSecret, SigningKey } from '@gatehouse/domain/signing-keys';
import {
  anEvent,
  aRevocation,
  aSigningKey,
  aToken,
  givenAccount,
  givenUser,
  START,
} from '@gatehouse/domain/testing';
import { tokenRevoked } from '@gatehouse/domain/tokens';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { GATE_HOLDS, openStage, type Part, type Stage } from '../../testing/stage.ts';
import { createPostgresRepositories } from '../repositories.ts';

describe('concurrent changes of keys', { timeout: 60_000 }, () => {
  let stage: Stage;
  beforeAll(async () => {
    stage = await openStage();
  });
  afterAll(() => stage.close());

  const sealed = (text: string) => text as SealedSecret;
  const inUse = async () => (await stage.store.signingKeys.list()).filter(({ state }) => state !== 'retired');

  /** All keys sealed under the one master key, which their secrets tell of. */
  async function givenKeysUnder(master: string): Promise<readonly SigningKey[]> {
    await stage.store.signingKeys.insert(aSigningKey(), anEvent());
    const keys = await inUse();
    const changes = keys.map(({ id, sealedSecret }) => ({ id, from: sealedSecret, to: sealed(master) }));
    expect(await stage.store.signingKeys.reseal(changes, [])).toMatchObject({ ok: true });
    return inUse();
  }

  const reseal =
    (keys: readonly SigningKey[], master: string): Part<{ readonly ok: boolean }> =>
    ({ database, origin }) =>
      createPostgresRepositories(database).signingKeys.reseal(
        keys.map(({ id, sealedSecret }) => ({ id, from: sealedSecret, to: sealed(master) })),
        [anEvent({ origin })],
      );

  const secrets = async () => [...new Set((await inUse()).map(({ sealedSecret }) => sealedSecret))];

  test.each(GATE_HOLDS)(
    'a key created during a rewrap is never stored under the old master key: $letGo',
    async (hold) => {
      const keys = await givenKeysUnder('old');
      const [witness] = keys;
      const add: Part<{ readonly ok: boolean }> = ({ database, origin }) =>
        createPostgresRepositories(database).signingKeys.insert(
          aSigningKey({ sealedSecret: sealed('old') }),
          anEvent({ origin }),
          witness,
        );
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
    const { store } = stage;
    const { id: accountId } = await givenAccount(store);
    const user = await givenUser(store, accountId);
    for (const begins of ['retire', 'insert'] as const) {
      const key = aSigningKey({ state: 'verify-only', activatedAt: START });
      await store.signingKeys.insert(key, anEvent());
      const retire: Part<{ readonly ok: boolean }> = ({ database, origin }) =>
        createPostgresRepositories(database).signingKeys.retire(key.id, START, null, anEvent({ origin }));
      const insert: Part<{ readonly ok: boolean }> = ({ database, origin }) =>
        createPostgresRepositories(database).tokens.insert(aToken(user, key), {}, anEvent({ origin }));
      const [first, second] =
        begins === 'retire' ? await stage.race(retire, insert, hold) : await stage.race(insert, retire, hold);
      expect([first.ok, second.ok]).toEqual([true, false]);
      const stored = await store.signingKeys.findById(key.id);
      expect(stored?.state).toBe(begins === 'retire' ? 'retired' : 'verify-only');
      expect((await store.signingKeys.countLiveTokens(START)).get(key.id)?.count).toBe(
        begins === 'retire' ? undefined : 1,
      );
    }
  });

  test.each(GATE_HOLDS)(
    'a token that is revoked while its key is retired with all tokens ends once: $letGo',
    async (hold) => {
      const { store } = stage;
      const { id: accountId } = await givenAccount(store);
      const user = await givenUser(store, accountId);
      for (const begins of ['retire', 'revoke'] as const) {
        const key = aSigningKey({ state: 'verify-only', activatedAt: START });
        await store.signingKeys.insert(key, anEvent());
        const token = aToken(user, key);
        await store.tokens.insert(token, {}, anEvent());
        const retire: Part<unknown> = ({ database, origin }) =>
          createPostgresRepositories(database).signingKeys.retire(
            key.id,
            START,
            aRevocation({ reason: 'retire' }),
            anEvent({ origin }),
          );
        const revoke: Part<unknown> = ({ database, origin }) =>
          createPostgresRepositories(database).tokens.revoke(
            token.id,
            aRevocation({ reason: 'revoke' }),
            anEvent({ ...tokenRevoked(token, aRevocation()), origin }),
          );
        await (begins === 'retire' ? stage.race(retire, revoke, hold) : stage.race(revoke, retire, hold));
        expect((await store.tokens.findRecord(token.id))?.revocation?.reason).toBe(begins);
        expect((await store.signingKeys.findById(key.id))?.state).toBe('retired');
        const subject = { type: 'token', id: token.id } as const;
        expect(await store.audit.list({ subject, action: 'token.revoked', limit: 5 })).toHaveLength(1);
      }
    },
  );
});
