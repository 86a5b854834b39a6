import { beforeEach, describe, expect, test } from 'vitest';
import { err, ok } from '../../src/index.ts';
import type { KeyId, SealedSecret, SigningKey } from '../../src/signing-keys/index.ts';
import { addMilliseconds, type Instant } from '../../src/time/index.ts';
import { type Revocation, type Token, tokenRevoked } from '../../src/tokens/index.ts';
import type { User } from '../../src/users/index.ts';
import { anEvent, aRevocation, aSigningKey, aToken, givenAdmin, START, unwrap } from '../fixtures.ts';
import type { OpenRepositories } from '../repositories.ts';
import { isDeeplyFrozen } from './is-deeply-frozen.ts';
import { newestEvent, openRepositories } from './open-repositories.ts';

const UNKNOWN = 'key-unknown' as KeyId;
const CHANGED = err({ code: 'keys_changed' });

const sealed = (text: string) => text as SealedSecret;

export function signingKeyRepositoryContract(name: string, open: OpenRepositories): void {
  describe(`${name} keeps the contract of SigningKeyRepository`, () => {
    const store = openRepositories(open);

    const newestEvents = async (limit: number) =>
      (await store().audit.list({ limit })).map(({ event }) => event);

    /** Creates a verify-only key. */
    async function givenOldKey(parts: Partial<SigningKey> = {}): Promise<SigningKey> {
      const key = aSigningKey({ state: 'verify-only', activatedAt: START, ...parts });
      await store().signingKeys.insert(key, anEvent());
      return key;
    }

    test('of concurrent first keys of a format one is stored, with its event', async () => {
      const { signingKeys } = store();
      const keys = [1, 2, 3].map(() => aSigningKey({ state: 'active', activatedAt: START }));
      const event = (id: KeyId) => anEvent({ action: 'key.created', subject: { type: 'key', id } });
      const outcomes = await Promise.all(keys.map((key) => signingKeys.insertFirst(key, event(key.id))));
      expect(outcomes.filter((outcome) => outcome.ok && outcome.value)).toHaveLength(1);
      expect(outcomes.every((outcome) => outcome.ok)).toBe(true);
      const stored = keys.find((_, index) => outcomes[index]?.ok && outcomes[index].value);
      expect(await signingKeys.list()).toEqual([stored]);
      expect(await signingKeys.findActive('paseto')).toEqual(stored);
      expect(await newestEvents(5)).toEqual([event(stored?.id as KeyId)]);
      expect(await signingKeys.findActive('jwt')).toBeUndefined();
    });

    test('the first key of a format is stored beside keys in use only with one of them as a witness', async () => {
      const { signingKeys } = store();
      const [witness] = await signingKeys.list();
      if (!witness) return expect.fail();
      const key = aSigningKey({ format: 'jwt', state: 'active', activatedAt: START });
      expect(await signingKeys.insertFirst(key, anEvent())).toEqual(CHANGED);
      const other = { ...witness, sealedSecret: sealed('other') };
      expect(await signingKeys.insertFirst(key, anEvent(), other)).toEqual(CHANGED);
      expect(await signingKeys.findById(key.id)).toBeUndefined();
      expect(await signingKeys.insertFirst(key, anEvent(), witness)).toEqual(ok(true));
      expect(await signingKeys.insertFirst(aSigningKey({ format: 'jwt' }), anEvent(), other)).toEqual(
        ok(false),
      );
    });

    test('a key is read as it was stored, with the same bytes', async () => {
      const publicKey = Uint8Array.from({ length: 32 }, (_, index) => index * 8);
      const key = aSigningKey({ publicKey, format: 'jwt' });
      await store().signingKeys.insert(key, anEvent());
      const found = await store().signingKeys.findById(key.id);
      expect(found).toEqual(key);
      expect(found).toSatisfy(isDeeplyFrozen);
      expect(found?.publicKey).toBeInstanceOf(Uint8Array);
      expect(await store().signingKeys.findById(UNKNOWN)).toBeUndefined();
    });

    test('a key is stored with a witness only while that is in use and its secret unchanged', async () => {
      const { signingKeys } = store();
      const witness = await givenOldKey();
      const beside = (other: SigningKey) => signingKeys.insert(aSigningKey(), anEvent(), other);
      expect(await beside(witness)).toEqual(ok(undefined));
      const before = await signingKeys.list();
      expect(await beside({ ...witness, sealedSecret: sealed('other') })).toEqual(CHANGED);
      expect(await beside({ ...witness, id: UNKNOWN })).toEqual(CHANGED);
      await signingKeys.retire(witness.id, START, null, anEvent({ action: 'key.retired' }));
      expect(await beside(witness)).toEqual(CHANGED);
      expect(await signingKeys.list()).toHaveLength(before.length);
      expect((await newestEvent(store()))?.action).toBe('key.retired');
    });

    test('activating a staged key makes the active one verify-only in the same step', async () => {
      const { signingKeys } = store();
      const before = await signingKeys.findActive('paseto');
      const key = aSigningKey();
      await signingKeys.insert(key, anEvent());
      const activatedAt = addMilliseconds(START, 5000);
      const event = anEvent({ action: 'key.activated' });
      const activated = await signingKeys.activate(key.id, activatedAt, event);
      expect(activated).toEqual(ok({ ...key, state: 'active', activatedAt }));
      expect((await signingKeys.findActive('paseto'))?.id).toBe(key.id);
      expect((await signingKeys.findById(before?.id as KeyId))?.state).toBe('verify-only');
      expect((await newestEvent(store()))?.action).toBe('key.activated');
      expect(await signingKeys.activate(key.id, START, anEvent())).toEqual(
        err({ code: 'key_state_conflict', state: 'active', needed: 'staged' }),
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
      const conflict = (state: string) => err({ code: 'key_state_conflict', state, needed: 'verify-only' });
      const retire = (id: KeyId) => signingKeys.retire(id, START, null, anEvent({ action: 'key.retired' }));
      expect(await retire(old.id)).toEqual(conflict('staged'));
      await signingKeys.activate(old.id, START, anEvent());
      expect(await retire(old.id)).toEqual(conflict('active'));
      await signingKeys.activate(fresh.id, START, anEvent());
      expect(await retire(old.id)).toMatchObject(
        ok({ key: { id: old.id, state: 'retired', retiredAt: START }, revokedTokens: 0 }),
      );
      expect((await newestEvent(store()))?.action).toBe('key.retired');
      expect(await retire(old.id)).toEqual(conflict('retired'));
      expect(await retire(UNKNOWN)).toEqual(err({ code: 'key_not_found' }));
    });

    describe('of a key with tokens', () => {
      const NOW = addMilliseconds(START, 3_600_000);
      let user: User;
      let key: SigningKey;
      beforeEach(async () => {
        user = await givenAdmin(store());
        key = await givenOldKey();
      });

      async function sign(by: SigningKey, parts: Partial<Token> = {}): Promise<Token> {
        const token = aToken(user, by, parts);
        unwrap(await store().tokens.insert(token, anEvent()));
        return token;
      }

      const expiring = (milliseconds: number, by = key) =>
        sign(by, { expiresAt: addMilliseconds(NOW, milliseconds) as Instant });
      const liveTokens = async (id = key.id) => (await store().signingKeys.countLiveTokens(NOW)).get(id);
      const retired = anEvent({ at: NOW, action: 'key.retired', origin: 'elsewhere' });
      const retire = (revocation: Revocation | null) =>
        store().signingKeys.retire(key.id, NOW, revocation, retired);

      test('live tokens of all users are counted', async () => {
        expect(await liveTokens()).toBeUndefined();
        const endless = await givenOldKey();
        await sign(endless);
        expect(await liveTokens(endless.id)).toEqual({ count: 1, withoutExpiry: 1, lastExpiry: null });
        await expiring(0);
        const revoked = await expiring(9000);
        await store().tokens.revoke(revoked.id, aRevocation(), anEvent());
        expect(await liveTokens()).toBeUndefined();

        await expiring(1);
        await expiring(5000);
        await expiring(10_000, await givenOldKey());
        const lastExpiry = addMilliseconds(NOW, 5000);
        expect(await liveTokens()).toEqual({ count: 2, withoutExpiry: 0, lastExpiry });
        await sign(key);
        await store().accounts.suspend(user.accountId, NOW, anEvent());
        expect(await liveTokens()).toEqual({ count: 3, withoutExpiry: 1, lastExpiry });
      });

      test('live tokens prevent its retirement, and nothing changes', async () => {
        await expiring(4000);
        await expiring(9000);
        const inUse = (retirableAt: Instant | null, tokens: number) =>
          err({ code: 'key_in_use', liveTokens: tokens, retirableAt });
        expect(await retire(null)).toEqual(inUse(addMilliseconds(NOW, 9000), 2));
        await sign(key);
        expect(await retire(null)).toEqual(inUse(null, 3));
        expect(await store().signingKeys.findById(key.id)).toEqual(key);
        expect((await newestEvent(store()))?.action).not.toBe('key.retired');
      });

      test('ended tokens do not prevent its retirement, and are not changed', async () => {
        const expired = await expiring(0);
        expect(await retire(aRevocation({ at: NOW }))).toMatchObject(ok({ revokedTokens: 0 }));
        expect((await store().tokens.findRecord(expired.id))?.revocation).toBeNull();
      });

      test('live tokens are revoked with it on request, each with its event, and no others', async () => {
        const tokens = [await sign(key), await expiring(4000), await expiring(9000)];
        const before = await sign(key);
        await store().tokens.revoke(before.id, aRevocation({ reason: 'before' }), anEvent());
        const other = await sign(await givenOldKey());
        const revocation = aRevocation({ at: NOW, reason: 'signing key retired' });

        expect(await retire(revocation)).toMatchObject(ok({ key: { state: 'retired' }, revokedTokens: 3 }));
        expect(await liveTokens()).toBeUndefined();
        for (const { id } of tokens) {
          expect((await store().tokens.findRecord(id))?.revocation).toEqual(revocation);
        }
        const [last, ...events] = await newestEvents(4);
        expect(last?.action).toBe('key.retired');
        const expected = tokens.map((token) => ({
          ...anEvent(),
          ...tokenRevoked(token, revocation),
          origin: 'elsewhere',
        }));
        expect(events).toHaveLength(3);
        expect(events).toEqual(expect.arrayContaining(expected));
        const stayed = async ({ id }: Token) => (await store().tokens.findRecord(id))?.revocation;
        expect((await stayed(before))?.reason).toBe('before');
        expect(await stayed(other)).toBeNull();
      });

      test('more tokens than fit into one statement are revoked, too', async () => {
        const count = 1050;
        for (let signed = 0; signed < count; signed += 50) {
          await Promise.all(Array.from({ length: 50 }, () => sign(key)));
        }
        expect(await retire(aRevocation({ at: NOW }))).toMatchObject(ok({ revokedTokens: count }));
        expect(await liveTokens()).toBeUndefined();
        const events = await newestEvents(count + 1);
        const subjects = events
          .filter(({ action }) => action === 'token.revoked')
          .map(({ subject }) => subject.id);
        expect(new Set(subjects).size).toBe(count);
      }, 60_000);
    });

    describe('resealing', () => {
      const inUse = async () => {
        const keys = await store().signingKeys.list();
        return keys.filter(({ state }) => state !== 'retired');
      };
      const resealings = async (to: (key: SigningKey) => SealedSecret) =>
        (await inUse()).map((key) => ({ id: key.id, from: key.sealedSecret, to: to(key) }));
      const event = anEvent({ action: 'key.rewrapped' });

      test('replaces the secret of every key in use, except for those that stay unchanged', async () => {
        const { signingKeys } = store();
        const retired = await givenOldKey();
        await signingKeys.retire(retired.id, START, null, anEvent());
        const stays = await givenOldKey({ sealedSecret: sealed('stays') });
        const changes = await resealings(({ id, sealedSecret }) =>
          id === stays.id ? sealedSecret : sealed(`new ${id}`),
        );
        const events = [event, { ...event, origin: 'second' }];
        expect(await signingKeys.reseal(changes, events)).toEqual(ok(undefined));
        for (const key of await inUse()) {
          expect(key.sealedSecret).toBe(key.id === stays.id ? 'stays' : `new ${key.id}`);
        }
        expect((await signingKeys.findById(retired.id))?.sealedSecret).toBe(retired.sealedSecret);
        expect(await newestEvents(2)).toEqual(events.toReversed());
      });

      test('changes nothing if a key is missing, unknown or retired, or its secret has changed', async () => {
        const { signingKeys } = store();
        const old = await givenOldKey();
        const changes = await resealings(({ id }) => sealed(`newer ${id}`));
        await signingKeys.insert(aSigningKey({ state: 'staged' }), anEvent({ action: 'key.created' }));
        expect(await signingKeys.reseal(changes, [event])).toEqual(CHANGED);

        const all = await resealings(({ id }) => sealed(`newer ${id}`));
        const [first = expect.fail(), ...rest] = all;
        const changed = [{ ...first, from: sealed('x') }, ...rest];
        expect(await signingKeys.reseal(changed, [event])).toEqual(CHANGED);
        expect(await signingKeys.reseal([...all, { ...first, id: UNKNOWN }], [event])).toEqual(CHANGED);
        expect((await newestEvent(store()))?.action).toBe('key.created');
        await signingKeys.retire(old.id, START, null, anEvent({ action: 'key.retired' }));
        expect(await signingKeys.reseal(all, [event])).toEqual(CHANGED);
        expect((await inUse()).some((key) => key.sealedSecret.startsWith('newer'))).toBe(false);
        expect((await newestEvent(store()))?.action).toBe('key.retired');
      });
    });

    test('keys are listed oldest first', async () => {
      const { signingKeys } = store();
      const ages = [7000, 1000, 3000];
      for (const age of ages)
        await signingKeys.insert(aSigningKey({ createdAt: addMilliseconds(START, age) }), anEvent());
      const created = (await signingKeys.list()).map((key) => key.createdAt);
      expect(created).toEqual(created.toSorted((a, b) => a - b));
    });
  });
}
