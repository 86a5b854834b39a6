import { describe, expect, test } from 'vitest';
import type { Attempt } from '../../src/identity-providers/index.ts';
import { addMilliseconds } from '../../src/time/index.ts';
import { givenAdmin, givenSession, START } from '../fixtures.ts';
import { anAttempt, anAttemptHash } from '../identity-fixtures.ts';
import { aCodeHash } from '../link-fixtures.ts';
import type { OpenRepositories } from '../repositories.ts';
import { isDeeplyFrozen } from './is-deeply-frozen.ts';
import { openRepositories } from './open-repositories.ts';

export function attemptRepositoryContract(name: string, open: OpenRepositories): void {
  describe(`${name} keeps the contract of AttemptRepository`, () => {
    const store = openRepositories(open);
    const given = async (parts: Partial<Attempt> = {}) => {
      const attempt = anAttempt(parts);
      await store().attempts.insert(attempt);
      return attempt;
    };

    test('an attempt of each purpose is taken as it was stored, once', async () => {
      const user = await givenAdmin(store());
      const { id: sessionId } = await givenSession(store(), user);
      const own = { userId: user.id, sessionId };
      const attempts = [
        await given({ next: '/settings' }),
        await given({ purpose: { kind: 'link', ...own } }),
        await given({ purpose: { kind: 'confirm', ...own } }),
        await given({ purpose: { kind: 'invitation', codeHash: aCodeHash() } }),
      ];
      for (const attempt of attempts) {
        const taken = await store().attempts.take(attempt.stateHash);
        expect(taken).toEqual(attempt);
        expect(taken).toSatisfy(isDeeplyFrozen);
        expect(await store().attempts.take(attempt.stateHash)).toBeUndefined();
      }
      expect(await store().attempts.take(anAttemptHash())).toBeUndefined();
    });

    test('of several calls with one state, one gets the attempt', async () => {
      const { stateHash } = await given();
      const taken = await Promise.all(Array.from({ length: 8 }, () => store().attempts.take(stateHash)));
      expect(taken.filter((one) => one !== undefined)).toHaveLength(1);
    });

    test('attempts are swept by their age, up to a limit', async () => {
      const old = addMilliseconds(START, -86_400_000);
      const older = [await given({ createdAt: old }), await given({ createdAt: old })];
      const kept = await given({ createdAt: addMilliseconds(old, 1) });
      const sweep = (limit: number) =>
        store().attempts.sweep({ createdBefore: addMilliseconds(old, 1), limit });
      expect([await sweep(1), await sweep(10), await sweep(10)]).toEqual([1, 1, 0]);
      for (const { stateHash } of older) expect(await store().attempts.take(stateHash)).toBeUndefined();
      expect(await store().attempts.take(kept.stateHash)).toEqual(kept);
    });
  });
}
