import { beforeEach, describe, expect, test } from 'vitest';
import { anEvent, aRevocation, givenToken, type World } from '../../testing/index.ts';
import { createInstallation, DAY, findingsIn, NOW } from '../../testing/installation.ts';
import type { Account } from '../accounts/account.ts';
import { addMilliseconds } from '../time/instant.ts';
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
