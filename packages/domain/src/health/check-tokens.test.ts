import { beforeEach, describe, expect, test } from 'vitest';
import {
  anEvent,
  aRevocation,
  createInMemoryStoreProbe,
  givenToken,
  OPERATOR,
  type World,
} from '../../testing/index.ts';
import { checkIn, createInstallation, DAY, findingsIn, NOW, outcomeIn } from '../../testing/installation.ts';
import type { Account } from '../accounts/account.ts';
import { addMilliseconds } from '../time/instant.ts';
import { setTokenPolicy } from '../token-policy/set-token-policy.ts';
import type { UsageRecorderLag } from '../tokens/usage/token-usage.ts';
import type { User } from '../users/user.ts';

describe('checkHealth', () => {
  let world: World;
  let account: Account;
  let ada: User;

  beforeEach(async () => {
    ({ world, account, ada } = await createInstallation());
  });

  describe('API tokens', () => {
    const good = { createdAt: addMilliseconds(NOW, -DAY), expiresAt: addMilliseconds(NOW, DAY) };
    const old = { ...good, createdAt: addMilliseconds(NOW, -90 * DAY - 1) };

    test('that were not used for 90 days are reported', async () => {
      await givenToken(world, ada, { ...old, createdAt: addMilliseconds(NOW, -90 * DAY) });
      await givenToken(world, ada, { ...old, kind: 'sign-in' });
      const used = await givenToken(world, ada, old);
      world.usage.used(used.id, addMilliseconds(NOW, -90 * DAY));
      expect(await findingsIn(world)).toEqual([]);
      const unused = await givenToken(world, ada, old);
      await givenToken(world, ada, old);
      const found = { code: 'tokens_unused', days: 90, more: false };
      expect(await findingsIn(world)).toEqual([{ ...found, count: 2 }]);
      await world.tokens.revoke(unused.id, aRevocation(), anEvent());
      expect(await findingsIn(world)).toEqual([{ ...found, count: 1 }]);
    });

    test('that never expire are reported', async () => {
      await givenToken(world, ada, { ...good, expiresAt: addMilliseconds(NOW, 10_000 * DAY) });
      expect(await findingsIn(world)).toEqual([]);
      const { id } = await givenToken(world, ada, { ...good, expiresAt: null });
      expect(await findingsIn(world)).toEqual([{ code: 'tokens_never_expiring', count: 1, more: false }]);
      await world.tokens.revoke(id, aRevocation(), anEvent());
      expect(await findingsIn(world)).toEqual([]);
    });

    test('that break the rules of their account are reported', async () => {
      const setRules = (maxLifetimeMs: number) =>
        setTokenPolicy(world)(OPERATOR, { accountId: account.id, changes: { person: { maxLifetimeMs } } });
      await givenToken(world, ada, good);
      await givenToken(world, ada, { ...good, kind: 'sign-in' });
      await setRules(DAY);
      expect(await findingsIn(world)).toEqual([]);
      await setRules(DAY / 2);
      expect(await findingsIn(world)).toEqual([{ code: 'tokens_over_policy', count: 1, more: false }]);
    });

    test('of a suspended account are reported until they end', async () => {
      await givenToken(world, ada, good);
      await givenToken(world, ada, { ...good, kind: 'sign-in' });
      await world.accounts.suspend(account.id, NOW, anEvent());
      expect(await findingsIn(world)).toEqual([
        { code: 'tokens_of_suspended_accounts', count: 1, more: false },
      ]);
      world.clock.advance(DAY);
      expect(await findingsIn(world)).toEqual([]);
    });

    test('of disabled users, which only a manual change can leave behind, are reported', async () => {
      const count: World['tokens']['count'] = async ({ state, kind }) =>
        state === 'user_disabled' && kind === 'api' ? 1 : 0;
      expect(await findingsIn(world, { tokens: { ...world.tokens, count } })).toEqual([
        { code: 'tokens_of_disabled_users', count: 1, more: false },
      ]);
    });

    test.each([
      [999, { count: 999, more: false }],
      [1000, { count: 1000, more: false }],
      [1001, { count: 1000, more: true }],
    ])('%i are counted as %j', async (number, counted) => {
      for (let made = 0; made < number; made += 1) {
        await givenToken(world, ada, { ...good, name: String(made), expiresAt: null });
      }
      expect(await findingsIn(world)).toEqual([{ code: 'tokens_never_expiring', ...counted }]);
    });
  });
});

describe('checkHealth', () => {
  let world: World;

  beforeEach(async () => {
    ({ world } = await createInstallation());
  });

  describe('usage', () => {
    const recordersWith = (...lags: readonly UsageRecorderLag[]) => ({ list: async () => lags });

    test('that no recorder stored is a remark and not a finding', async () => {
      expect(outcomeIn(await checkIn(world), 'usage')).toEqual({ status: 'passed', remark: 'no_usage' });
      const inTime = { storedAt: NOW, lagMs: 2000 };
      expect(outcomeIn(await checkIn(world, { usageRecorders: recordersWith(inTime) }), 'usage')).toEqual({
        status: 'passed',
      });
    });

    test.each([
      [0, 2000, false],
      [0, 2001, true],
      [60_000, 2001, true],
      [60_001, 90_000, false],
    ])('stored %i ms ago, %i ms late: found %s', async (ago, lagMs, isFound) => {
      const lag = { storedAt: addMilliseconds(NOW, -ago), lagMs };
      expect(await findingsIn(world, { usageRecorders: recordersWith(lag) })).toEqual(
        isFound ? [{ code: 'usage_behind', ...lag }] : [],
      );
    });

    test('is late by the database’s clock, regardless of this machine’s', async () => {
      const now = async () => addMilliseconds(NOW, -DAY);
      const storeProbe = { ...createInMemoryStoreProbe(world.clock), now };
      const lag = { storedAt: addMilliseconds(NOW, -DAY), lagMs: 5000 };
      expect(await findingsIn(world, { storeProbe, usageRecorders: recordersWith(lag) })).toEqual([
        { code: 'clock_skewed', skewMs: DAY },
        { code: 'usage_behind', ...lag },
      ]);
    });

    test('that several recorders store late is a finding for each', async () => {
      const late = { storedAt: NOW, lagMs: 9000 };
      const lags = recordersWith(late, { storedAt: NOW, lagMs: 1 }, { ...late, lagMs: 3000 });
      expect(await findingsIn(world, { usageRecorders: lags })).toMatchObject([
        { lagMs: 9000 },
        { lagMs: 3000 },
      ]);
    });
  });
});
