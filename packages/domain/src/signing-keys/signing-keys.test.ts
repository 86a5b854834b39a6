import { beforeEach, describe, expect, test, vi } from 'vitest';
import {
  createFakeKeyEncryption,
  createInMemoryRepositories,
  createWorld,
  OPERATOR,
  START,
  unwrap,
  type World,
} from '../../testing/index.ts';
import { err } from '../result.ts';
import { addMilliseconds } from '../time/instant.ts';
import { checkMasterKey } from './active-key.ts';
import { ensureKeys } from './ensure-keys.ts';
import type { KeyEncryption, MasterKeys } from './key-encryption.ts';
import { createKeyRing, listPublicKeys } from './key-ring.ts';
import { activateKey, createKey } from './manage-keys.ts';
import { rewrapKeys } from './rewrap-keys.ts';
import type { KeyId, SigningKey } from './signing-key.ts';

describe('signing keys', () => {
  let world: World;
  beforeEach(async () => {
    world = await createWorld();
  });

  const activate = (id: KeyId) => activateKey({ ...world, maxStalenessMs: 1000 })(OPERATOR, id);
  async function staged(): Promise<SigningKey> {
    return unwrap(await createKey(world)(OPERATOR, 'paseto'));
  }

  test('the first start creates one active key per format, and the second none', async () => {
    await ensureKeys(world)(OPERATOR);
    const keys = await world.signingKeys.list();
    expect(keys.map(({ format, state }) => `${format} ${state}`).toSorted()).toEqual([
      'jwt active',
      'paseto active',
    ]);
  });

  test('concurrent first starts create each key once', async () => {
    const { signingKeys } = createInMemoryRepositories();
    const made = world.signers.map((signer) => vi.spyOn(signer, 'generateKey'));
    await ensureKeys({ ...world, signingKeys })(OPERATOR);
    for (const calls of made) expect(calls).toHaveBeenCalledTimes(1);
  });

  test('with a wrong master key nothing is written', async () => {
    const other = { ...world, encryption: createFakeKeyEncryption('another') };
    const before = await world.signingKeys.list();
    const rejected = err({ code: 'master_key_rejected' });
    expect(await ensureKeys(other)(OPERATOR)).toEqual(rejected);
    expect(await createKey(other)(OPERATOR, 'jwt')).toEqual(rejected);
    expect(await world.signingKeys.list()).toEqual(before);
  });

  test('a new format gets its first key only with the master key in use', async () => {
    const { signingKeys } = createInMemoryRepositories();
    const [paseto, jwt] = world.signers;
    if (!paseto || !jwt) return expect.fail();
    await ensureKeys({ ...world, signingKeys, signers: [paseto] })(OPERATOR);
    const other = { ...world, signingKeys, encryption: createFakeKeyEncryption('another') };
    expect(await ensureKeys(other)(OPERATOR)).toEqual(err({ code: 'master_key_rejected' }));
    expect(await signingKeys.findActive('jwt')).toBeUndefined();
    await ensureKeys({ ...world, signingKeys })(OPERATOR);
    expect((await signingKeys.findActive('jwt'))?.state).toBe('active');
  });

  test('a key that is created while the master key is replaced is created again, or not at all', async () => {
    const { signingKeys } = world;
    const next = createFakeKeyEncryption('next');
    const rewrapOnce = vi.fn(async () => {
      const masterKeys: MasterKeys = {
        replace: (work) => work({ current: world.encryption, next, complete: async () => undefined }),
      };
      expect(await rewrapKeys({ ...world, masterKeys })(OPERATOR)).toMatchObject({ ok: true });
    });
    /** Encrypts with the old master key, but only after the keys were re-encrypted. */
    const overtaken = (after: KeyEncryption): KeyEncryption => {
      let mine = world.encryption;
      return {
        open: (...secret) => mine.open(...secret),
        async seal(...secret) {
          const sealed = await mine.seal(...secret);
          if (rewrapOnce.mock.calls.length === 0) await rewrapOnce();
          mine = after;
          return sealed;
        },
      };
    };
    const before = await signingKeys.list();
    const created = await createKey({ ...world, encryption: overtaken(next) })(OPERATOR, 'jwt');
    expect(created).toMatchObject({ ok: true, value: { state: 'staged' } });
    expect(await signingKeys.list()).toHaveLength(before.length + 1);
    expect(await checkMasterKey({ signingKeys, encryption: next })).toMatchObject({ ok: true });

    rewrapOnce.mockReset();
    const lost = await createKey({ ...world, encryption: overtaken(world.encryption) })(OPERATOR, 'jwt');
    expect(lost).toEqual(err({ code: 'master_key_rejected' }));
  });

  test('on an empty ring the first keys are made before the staged one', async () => {
    const { signingKeys } = createInMemoryRepositories();
    const created = await createKey({ ...world, signingKeys })(OPERATOR, 'paseto');
    expect(created).toMatchObject({ ok: true, value: { state: 'staged' } });
    expect((await signingKeys.findActive('paseto'))?.state).toBe('active');
    expect((await signingKeys.findActive('jwt'))?.state).toBe('active');
  });

  test('a staged key is activated once every node can know it', async () => {
    const key = await staged();
    expect(await activate(key.id)).toEqual(
      err({ code: 'key_too_young', activatableAt: addMilliseconds(START, 2000) }),
    );
    world.clock.advance(2000);
    expect(await activate(key.id)).toMatchObject({ ok: true, value: { id: key.id, state: 'active' } });
    expect(await activate(key.id)).toEqual(
      err({ code: 'key_state_conflict', state: 'active', needed: 'staged' }),
    );
    expect(await activate('none' as KeyId)).toEqual(err({ code: 'key_not_found' }));
  });

  test('the public keys are those that verify, without secrets', async () => {
    const key = await staged();
    const published = await listPublicKeys(world)();
    expect(published.map(({ id }) => id)).toContain(key.id);
    expect(published.flatMap(Object.keys)).not.toContain('sealedSecret');
    world.clock.advance(2000);
    const before = await world.signingKeys.findActive('paseto');
    await activate(key.id);
    await world.signingKeys.retire(before?.id as KeyId, START, null, {} as never);
    expect((await listPublicKeys(world)()).map(({ id }) => id)).not.toContain(before?.id);
  });
});

describe('the key ring', () => {
  test('a known key is returned without a read, as the same object', async () => {
    const world = await createWorld();
    const [key] = await world.signingKeys.list();
    const list = vi.spyOn(world.signingKeys, 'list');
    const ring = createKeyRing(world);
    const found = await ring.find(key?.id as KeyId);
    world.clock.advance(3_600_000);
    expect(await ring.find(key?.id as KeyId)).toBe(found);
    expect(list).toHaveBeenCalledTimes(1);
    await ring.find('none' as KeyId);
    expect(list).toHaveBeenCalledTimes(2);
    expect(await ring.find(key?.id as KeyId)).toBe(found);
  });

  test('unknown ids cause at most one read per second, however many there are', async () => {
    const world = await createWorld();
    const list = vi.spyOn(world.signingKeys, 'list');
    const ring = createKeyRing(world);
    const garbage = () =>
      Promise.all(Array.from({ length: 100 }, (_, index) => ring.find(`k-${index}` as KeyId)));
    expect(await garbage()).toEqual(Array(100).fill(undefined));
    await garbage();
    expect(list).toHaveBeenCalledTimes(1);
    world.clock.advance(1000);
    await garbage();
    expect(list).toHaveBeenCalledTimes(2);
  });

  test('a new key is found within a second', async () => {
    const world = await createWorld();
    const ring = createKeyRing(world);
    await ring.find('none' as KeyId);
    const { id } = unwrap(await createKey(world)(OPERATOR, 'paseto'));
    world.clock.advance(1000);
    expect((await ring.find(id))?.id).toBe(id);
  });

  test('after a failed read the next call reads again: a fault is not cached as an unknown key', async () => {
    const world = await createWorld();
    const [key] = await world.signingKeys.list();
    const ring = createKeyRing(world);
    vi.spyOn(world.signingKeys, 'list').mockRejectedValueOnce(new Error('no database'));
    await expect(ring.find(key?.id as KeyId)).rejects.toThrow('no database');
    expect((await ring.find(key?.id as KeyId))?.id).toBe(key?.id);
  });
});
