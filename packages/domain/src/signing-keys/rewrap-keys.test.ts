import { beforeEach, describe, expect, test, vi } from 'vitest';
import {
  anEvent,
  aSigningKey,
  createFakeKeyEncryption,
  createWorld,
  OPERATOR,
  START,
  type World,
} from '../../testing/index.ts';
import { err, ok } from '../result.ts';
import { checkMasterKey } from './active-key.ts';
import type { KeyEncryption, MasterKeys } from './key-encryption.ts';
import { createKey } from './manage-keys.ts';
import { rewrapKeys } from './rewrap-keys.ts';

describe('replacing the master key', () => {
  const next = createFakeKeyEncryption('next');
  let world: World;
  beforeEach(async () => {
    world = await createWorld();
  });

  interface Steps {
    readonly current?: KeyEncryption;
    readonly complete?: () => Promise<void>;
  }

  function rewrap({ current = world.encryption, complete = async () => undefined }: Steps = {}) {
    const masterKeys: MasterKeys = { replace: (work) => work({ current, next, complete }) };
    return rewrapKeys({ ...world, masterKeys })(OPERATOR);
  }

  const opens = async (encryption: KeyEncryption) =>
    (await checkMasterKey({ signingKeys: world.signingKeys, encryption })).ok;
  const rewrapEvents = async () => {
    const entries = await world.audit.list({ limit: 50 });
    return entries.filter(({ event }) => event.action === 'key.rewrapped');
  };

  test('re-encrypts every key in use, with an event for each, and then completes', async () => {
    await createKey(world)(OPERATOR, 'jwt');
    await world.signingKeys.insert(aSigningKey({ state: 'retired', retiredAt: START }), anEvent());
    const complete = vi.fn(async () => {
      expect([await opens(world.encryption), await opens(next)]).toEqual([false, true]);
    });
    expect(await rewrap({ complete })).toMatchObject(ok({ rewrapped: 3, unchanged: 0 }));
    expect(complete).toHaveBeenCalledTimes(1);
    expect(await rewrapEvents()).toHaveLength(3);
  });

  test('can be repeated: keys that are re-encrypted already get no event', async () => {
    await rewrap();
    const before = await world.signingKeys.list();
    const complete = vi.fn(async () => undefined);
    expect(await rewrap({ complete })).toMatchObject(ok({ rewrapped: 0, unchanged: 2 }));
    expect(complete).toHaveBeenCalledTimes(1);
    expect(await world.signingKeys.list()).toEqual(before);
    expect(await rewrapEvents()).toHaveLength(2);
  });

  test('is resumed if it was interrupted', async () => {
    const complete = vi.fn(async () => undefined).mockRejectedValueOnce(new Error('no space left'));
    await expect(rewrap({ complete })).rejects.toThrow('no space left');
    expect(await opens(next)).toBe(true);
    expect(await rewrap({ complete })).toMatchObject(ok({ rewrapped: 0, unchanged: 2 }));
  });

  test('changes nothing if neither master key decrypts a key', async () => {
    const complete = vi.fn(async () => undefined);
    const before = await world.signingKeys.list();
    const wrong = rewrap({ current: createFakeKeyEncryption('wrong'), complete });
    expect(await wrong).toEqual(err({ code: 'master_key_rejected' }));
    expect(await world.signingKeys.list()).toEqual(before);
    expect(complete).not.toHaveBeenCalled();
  });

  test('is abandoned if a key was created meanwhile, and all keys stay under one master key', async () => {
    const complete = vi.fn(async () => undefined);
    const slow: KeyEncryption = {
      ...next,
      async seal(...secret) {
        await createKey(world)(OPERATOR, 'jwt');
        return next.seal(...secret);
      },
    };
    const masterKeys: MasterKeys = {
      replace: (work) => work({ current: world.encryption, next: slow, complete }),
    };
    expect(await rewrapKeys({ ...world, masterKeys })(OPERATOR)).toEqual(err({ code: 'keys_changed' }));
    expect(complete).not.toHaveBeenCalled();
    expect(await opens(world.encryption)).toBe(true);
    expect(await rewrap()).toMatchObject({ ok: true });
  });
});
