import { beforeEach, describe, expect, test, vi } from 'vitest';
import { createFakeKeyEncryption, createWorld, OPERATOR, type World } from '../../testing/index.ts';
import { activateKey, createKey, err, type SealedSecret, type SigningKey } from '../index.ts';
import { openActiveKey } from './active-key.ts';

describe('the active key', () => {
  let world: World;
  beforeEach(async () => {
    world = await createWorld();
  });

  async function open(ports = world) {
    const opened = await openActiveKey(ports, 'paseto');
    return opened.ok ? opened.value : expect.fail(opened.error.code);
  }

  test('is decrypted once, and is one object for as long as it is the same', async () => {
    const decrypt = vi.spyOn(world.encryption, 'open');
    expect(await open()).toBe(await open());
    expect(decrypt).toHaveBeenCalledTimes(1);
  });

  test('is another one as soon as another is active', async () => {
    const before = await open();
    const created = await createKey(world)(OPERATOR, 'paseto');
    if (!created.ok) return expect.fail(created.error.code);
    await activateKey({ ...world, maxStalenessMs: 0 })(OPERATOR, created.value.id);
    const after = await open();
    expect(after.id).toBe(created.value.id);
    expect(after.secretKey).not.toEqual(before.secretKey);
  });

  test('is not taken for known when another secret is stored, or another master key asks', async () => {
    const rejected = err({ code: 'master_key_rejected' });
    await open();
    const { signingKeys } = world;
    const findActive = async (): Promise<SigningKey | undefined> => {
      const key = await signingKeys.findActive('paseto');
      return key && { ...key, sealedSecret: 'another' as SealedSecret };
    };
    const resealed = { ...world, signingKeys: { ...signingKeys, findActive } };
    expect(await openActiveKey(resealed, 'paseto')).toEqual(rejected);
    const stranger = { ...world, encryption: createFakeKeyEncryption('another') };
    expect(await openActiveKey(stranger, 'paseto')).toEqual(rejected);
  });
});
