import { describe, expect, test } from 'vitest';
import type { PendingSignIn } from '../../src/second-factor/index.ts';
import { addMilliseconds } from '../../src/time/index.ts';
import type { PasswordHash, User } from '../../src/users/index.ts';
import { anEvent, aRevocation, givenAdmin, givenAdmins, START } from '../fixtures.ts';
import type { OpenRepositories } from '../repositories.ts';
import { aPendingSignIn, givenSecondFactor } from '../second-factor-fixtures.ts';
import { isDeeplyFrozen } from './is-deeply-frozen.ts';
import { openRepositories } from './open-repositories.ts';

const before = addMilliseconds(START, -1);

export function pendingSignInsContract(name: string, open: OpenRepositories): void {
  describe(`${name} keeps the contract of SecondFactorRepository: waiting sign-ins`, () => {
    const store = openRepositories(open);
    const find = ({ secretHash }: PendingSignIn, createdAfter = before) =>
      store().secondFactors.findPending(secretHash, createdAfter);
    const given = async (of?: User) => {
      const user = of ?? (await givenAdmin(store()));
      const factor = await givenSecondFactor(store(), user);
      const pending = aPendingSignIn(factor);
      await store().secondFactors.insertPending(pending);
      return { user, factor, pending };
    };

    test('a waiting sign-in is found with its user until it is too old, and taken once', async () => {
      const { user, pending } = await given();
      const found = await find(pending);
      expect(found).toEqual({ pending, user });
      expect(found).toSatisfy(isDeeplyFrozen);
      expect(await find(pending, START)).toBeUndefined();
      expect(await find(aPendingSignIn(pending))).toBeUndefined();
      expect(await store().secondFactors.takePending(pending.secretHash)).toBe(true);
      expect(await store().secondFactors.takePending(pending.secretHash)).toBe(false);
      expect(await find(pending)).toBeUndefined();
    });

    test('it ends with another password, another second factor and an inactive user or account', async () => {
      const { user, factor, pending } = await given();
      const otherFactor = aPendingSignIn(factor, { enrolledAt: addMilliseconds(START, 1) });
      await store().secondFactors.insertPending(otherFactor);
      expect(await find(otherFactor)).toBeUndefined();
      await store().accounts.suspend(user.accountId, START, anEvent());
      expect(await find(pending)).toBeUndefined();
      await store().accounts.resume(user.accountId, anEvent());
      expect(await find(pending)).toBeDefined();
      const another = await given();
      const hash = '$test$other' as PasswordHash;
      await store().users.setPassword(another.user.id, hash, aRevocation(), anEvent());
      expect(await find(another.pending)).toBeUndefined();
      const [admin] = await givenAdmins(store());
      const disabled = await given(admin);
      expect((await store().users.disable(admin.id, aRevocation(), anEvent())).ok).toBe(true);
      expect(await find(disabled.pending)).toBeUndefined();
    });

    test('old ones are swept, up to a limit', async () => {
      const { factor } = await given();
      const old = addMilliseconds(START, -100_000);
      for (let count = 0; count < 3; count += 1)
        await store().secondFactors.insertPending(aPendingSignIn(factor, { createdAt: old }));
      const sweep = () =>
        store().secondFactors.sweepPending({ createdBefore: addMilliseconds(old, 1), limit: 2 });
      expect([await sweep(), await sweep(), await sweep()]).toEqual([2, 1, 0]);
    });
  });
}
