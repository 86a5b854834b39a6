import { beforeEach, describe, expect, test } from 'vitest';
import {
  createFakeKeyEncryption,
  createWorld,
  givenEvents,
  OPERATOR,
  verified,
  type World,
} from '../../../testing/index.ts';
import { rewrapKeys } from '../../signing-keys/rewrap-keys.ts';
import { sealAuditEvents } from './seal-audit-events.ts';

let world: World;
beforeEach(async () => {
  world = await createWorld();
});

describe('sealing', () => {
  test('seals five hundred events at once, and says whether there are more', async () => {
    await givenEvents(world, 700);
    const seal = sealAuditEvents(world);
    expect(await seal()).toEqual({ ok: true, value: { sealed: 500, more: true } });
    expect(await seal()).toMatchObject({ value: { sealed: 202, more: false } });
    expect(await seal()).toMatchObject({ value: { sealed: 0, more: false } });
    expect(await verified(world)).toMatchObject({ sealed: 702, unsealed: 0, found: 0 });
  });

  test('goes on with the key that it opened, after the master key was replaced', async () => {
    const seal = sealAuditEvents(world);
    await seal();
    const [next, before] = [createFakeKeyEncryption('next'), world.encryption];
    await rewrapKeys({
      ...world,
      masterKeys: { replace: (work) => work({ current: before, next, complete: async () => undefined }) },
    })(OPERATOR);
    expect(await seal()).toMatchObject({ ok: true, value: { sealed: 2 } });
    const refused = { ok: false, error: { code: 'master_key_rejected' } };
    const another = { ...world, encryption: { ...world.encryption } };
    expect(await sealAuditEvents(another)()).toEqual(refused);
    expect(await verified({ ...world, encryption: next })).toMatchObject({ sealed: 4, found: 0 });
  });
});
