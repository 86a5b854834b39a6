import { beforeEach, describe, expect, test, vi } from 'vitest';
import { createFakeKeyEncryption, createWorld, OPERATOR, unwrap, type World } from '../../testing/index.ts';
import { err } from '../result.ts';
import { checkMasterKey, openActiveKey } from './active-key.ts';
import { activateKey, createKey } from './manage-keys.ts';
import { rewrapKeys } from './rewrap-keys.ts';
import type { SigningKey } from './signing-key.ts';

describe('the active key', () => {
  let world: World;
  beforeEach(async () => {
    // The start used another encryption; the one under test has decrypted nothing yet.
    world = { ...(await createWorld()), encryption: createFakeKeyEncryption() };
  });

  async function open(ports = world) {
    return unwrap(await openActiveKey(ports, 'paseto'));
  }

  async function created(encryption = createFakeKeyEncryption()): Promise<SigningKey> {
    return unwrap(await createKey({ ...world, encryption })(OPERATOR, 'paseto'));
  }

  const activate = (key: SigningKey) => activateKey({ ...world, maxStalenessMs: 0 })(OPERATOR, key.id);
  const rewrap = () => {
    const next = createFakeKeyEncryption('next');
    const current = createFakeKeyEncryption();
    const complete = async () => undefined;
    return rewrapKeys({ ...world, masterKeys: { replace: (work) => work({ current, next, complete }) } })(
      OPERATOR,
    );
  };

  test('is decrypted once, and stays the same object', async () => {
    const decrypt = vi.spyOn(world.encryption, 'open');
    expect(await open()).toBe(await open());
    expect(decrypt).toHaveBeenCalledTimes(1);
  });

  test('changes as soon as another key is active', async () => {
    const before = await open();
    const key = await created();
    await activate(key);
    const after = await open();
    expect(after.id).toBe(key.id);
    expect(after.secretKey).not.toEqual(before.secretKey);
  });

  test('keeps signing when the master key is replaced, and so do staged keys that the start has checked', async () => {
    const staged = await created();
    await checkMasterKey(world);
    const before = await open();
    expect(await rewrap()).toMatchObject({ ok: true });
    expect(await open()).toBe(before);
    await activate(staged);
    expect((await open()).id).toBe(staged.id);

    await activate(await created(createFakeKeyEncryption('next')));
    expect(await openActiveKey(world, 'paseto')).toEqual(err({ code: 'master_key_rejected' }));
  });

  test('is not shared with another master key', async () => {
    await open();
    const other = { ...world, encryption: createFakeKeyEncryption('another') };
    expect(await openActiveKey(other, 'paseto')).toEqual(err({ code: 'master_key_rejected' }));
  });
});
