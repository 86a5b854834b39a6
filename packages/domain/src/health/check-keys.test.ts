import { beforeEach, describe, expect, test } from 'vitest';
import type { World } from '../../testing/index.ts';
import { anEvent, aSigningKey, createFakeKeyEncryption, givenToken } from '../../testing/index.ts';
import { checkIn, createInstallation, DAY, findingsIn, NOW, outcomeIn } from '../../testing/installation.ts';
import { err, ok } from '../result.ts';
import { KEY_DUE_MS } from '../signing-keys/signing-key.ts';
import { addMilliseconds, type Instant } from '../time/instant.ts';
import { TOKEN_FORMATS } from '../tokens/token.ts';
import type { User } from '../users/user.ts';
import { type Finding, findingsOf } from './health-report.ts';

describe('checkHealth', () => {
  let world: World;
  let ada: User;

  beforeEach(async () => {
    ({ world, ada } = await createInstallation());
  });

  describe('the signing keys', () => {
    const only = (reports: readonly Finding[], code: Finding['code']) =>
      reports.filter((finding) => finding.code === code);

    test('without an active one are reported by format', async () => {
      const signingKeys = { ...world.signingKeys, list: async () => [] };
      expect(await findingsIn(world, { signingKeys })).toEqual([
        { code: 'no_active_key', format: 'paseto' },
        { code: 'no_active_key', format: 'jwt' },
      ]);
    });

    test('that are staged for a day are reported', async () => {
      const key = aSigningKey({ createdAt: addMilliseconds(NOW, -DAY + 1) });
      await world.signingKeys.insert(key, anEvent());
      expect(only(await findingsIn(world), 'key_left_staged')).toEqual([]);
      world.clock.advance(1);
      expect(only(await findingsIn(world), 'key_left_staged')).toEqual([
        { code: 'key_left_staged', keyId: key.id, format: 'paseto', since: key.createdAt },
      ]);
      await world.signingKeys.activate(key.id, NOW, anEvent());
      expect(only(await findingsIn(world), 'key_left_staged')).toEqual([]);
    });

    test('that have signed for a year are reported', async () => {
      const [active] = (await world.signingKeys.list()).filter(({ format }) => format === 'jwt');
      const since = active?.activatedAt ?? NOW;
      const at = (now: Instant) => {
        world.clock.set(now);
        return findingsIn(world);
      };
      expect(only(await at(addMilliseconds(since, KEY_DUE_MS - 1)), 'key_due')).toEqual([]);
      const due = only(await at(addMilliseconds(since, KEY_DUE_MS)), 'key_due');
      expect(due).toContainEqual({ code: 'key_due', keyId: active?.id, format: 'jwt', since });
    });

    test('that only verify are reported once no live token needs them', async () => {
      const active = await world.signingKeys.findActive('paseto');
      await givenToken(world, ada, { createdAt: NOW, expiresAt: addMilliseconds(NOW, DAY) });
      const next = aSigningKey({ createdAt: NOW });
      await world.signingKeys.insert(next, anEvent());
      await world.signingKeys.activate(next.id, NOW, anEvent());
      expect(only(await findingsIn(world), 'key_retirable')).toEqual([]);
      world.clock.advance(DAY);
      expect(only(await findingsIn(world), 'key_retirable')).toEqual([
        { code: 'key_retirable', keyId: active?.id, format: 'paseto' },
      ]);
    });

    test('are reported without counting tokens, while none of them only verifies', async () => {
      const signingKeys = {
        ...world.signingKeys,
        countLiveTokens: async () => expect.fail('tokens were counted'),
      };
      expect(await findingsIn(world, { signingKeys })).toEqual([]);
    });

    test('that are retired are not reported', async () => {
      const open = async () => expect.fail('a key of the past was opened');
      const retired = TOKEN_FORMATS.map((format) =>
        aSigningKey({ format, state: 'retired', retiredAt: NOW }),
      );
      const signingKeys = { ...world.signingKeys, list: async () => retired };
      const found = await findingsIn(world, {
        signingKeys,
        findMasterKey: async () => ok({ ...world.encryption, open }),
      });
      expect(found.map(({ code }) => code)).toEqual(['no_active_key', 'no_active_key']);
    });
  });

  describe('the master key', () => {
    test('that is not configured is skipped without a finding', async () => {
      const report = await checkIn(world, { findMasterKey: async () => undefined });
      expect(outcomeIn(report, 'master_key')).toEqual({ status: 'skipped', because: 'no_master_key' });
      expect(findingsOf(report)).toEqual([]);
    });

    test('is not checked if no key is in use', async () => {
      const signingKeys = { ...world.signingKeys, list: async () => [] };
      const findMasterKey = async () => expect.fail('it was asked for');
      const report = await checkIn(world, { signingKeys, findMasterKey });
      expect(outcomeIn(report, 'master_key')).toEqual({ status: 'skipped', because: 'no_keys' });
    });

    test('that cannot be read is reported', async () => {
      const problem = err({ code: 'master_key_unusable', message: 'no such file' } as const);
      expect(await findingsIn(world, { findMasterKey: async () => problem })).toEqual([
        { code: 'master_key_unusable', reason: 'no such file' },
      ]);
    });

    test('that is a wrong one is reported, with the keys that it does not decrypt', async () => {
      const keys = (await world.signingKeys.list()).map(({ id }) => id);
      const another = createFakeKeyEncryption('another');
      expect(await findingsIn(world, { findMasterKey: async () => ok(another) })).toEqual([
        { code: 'master_key_rejected', keyIds: keys },
      ]);
    });
  });
});
