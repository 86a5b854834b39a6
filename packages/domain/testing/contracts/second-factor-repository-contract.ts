import { describe, expect, test } from 'vitest';
import { err, ok } from '../../src/index.ts';
import { MAX_WRONG_CODES, type Proof, WRONG_WINDOW_MS } from '../../src/second-factor/index.ts';
import { addMilliseconds, type Instant } from '../../src/time/index.ts';
import type { User } from '../../src/users/index.ts';
import { anEvent, givenAdmin, givenSession, START } from '../fixtures.ts';
import type { OpenRepositories } from '../repositories.ts';
import { aRecoveryHash, aSecondFactor, givenSecondFactor } from '../second-factor-fixtures.ts';
import { isDeeplyFrozen } from './is-deeply-frozen.ts';
import { newestEvent, openRepositories } from './open-repositories.ts';

const WRONG = err({ code: 'second_factor_wrong' });
const at = (milliseconds: number) => addMilliseconds(START, milliseconds);

export function secondFactorRepositoryContract(name: string, open: OpenRepositories): void {
  describe(`${name} keeps the contract of SecondFactorRepository: codes`, () => {
    const store = openRepositories(open);
    const prove = ({ id }: User, proof: Proof, now: Instant = START, enrolledAt: Instant = START) =>
      store().secondFactors.prove({ userId: id, enrolledAt }, proof, now, (left) =>
        left === undefined
          ? anEvent({ action: 'user.second_factor_paused', details: { of: id } })
          : anEvent({ action: 'user.recovery_code_used', details: { left } }),
      );
    const pausesOf = async ({ id }: User) =>
      (await store().audit.list({ limit: 10 })).filter(
        ({ event }) => event.action === 'user.second_factor_paused' && event.details.of === id,
      ).length;

    test('an enrolled second factor is found with the number of its recovery codes', async () => {
      const user = await givenAdmin(store());
      expect(await store().secondFactors.find(user.id)).toBeUndefined();
      const { sealedSecret } = await givenSecondFactor(store(), user, { recoveryCodes: [aRecoveryHash()] });
      const found = await store().secondFactors.find(user.id);
      expect(found).toEqual({ userId: user.id, sealedSecret, enrolledAt: START, recoveryCodesLeft: 1 });
      expect(found).toSatisfy(isDeeplyFrozen);
      const credentials = await store().users.findCredentials(user.email);
      expect(credentials?.secondFactor).toEqual({ enrolledAt: START, policy: 'optional' });
      const { secretHash } = await givenSession(store(), user, {}, START);
      expect((await store().sessions.find(secretHash))?.secondFactor.enrolledAt).toBe(START);
      expect(await store().users.findDetails(user.id, { at: START, limit: 1 })).toMatchObject({
        secondFactorAt: START,
      });
    });

    test('a user enrols once, in a session of the user, while the master key stays', async () => {
      const user = await givenAdmin(store());
      const foreign = await givenSession(store(), await givenAdmin(store()));
      const own = await givenSession(store(), user);
      const [witness] = await store().signingKeys.list();
      if (!witness) throw new Error('a test before this one made a key');
      const enrol = (sessionId = own.id, sealedSecret = witness.sealedSecret) =>
        store().secondFactors.enrol(
          aSecondFactor(user),
          [],
          { sessionId, witness: { ...witness, sealedSecret } },
          anEvent({ action: 'user.second_factor_enrolled' }),
        );
      expect(await enrol(foreign.id)).toEqual(err({ code: 'session_not_found' }));
      expect(await enrol(own.id, 'other' as typeof witness.sealedSecret)).toEqual(
        err({ code: 'keys_changed' }),
      );
      expect(await store().secondFactors.find(user.id)).toBeUndefined();
      expect(await enrol()).toEqual(ok(undefined));
      expect((await newestEvent(store()))?.action).toBe('user.second_factor_enrolled');
      expect(await enrol()).toEqual(err({ code: 'second_factor_enrolled' }));
    });

    test('a step is accepted once, and no step before it', async () => {
      const user = await givenAdmin(store());
      await givenSecondFactor(store(), user, { lastStep: 100 });
      expect(await prove(user, { steps: [] })).toEqual(WRONG);
      expect(await prove(user, { steps: [100] })).toEqual(WRONG);
      expect(await prove(user, { steps: [100, 102] })).toEqual(
        ok({ usedRecoveryCode: false, recoveryCodesLeft: 0 }),
      );
      for (const step of [100, 101, 102]) expect(await prove(user, { steps: [step] })).toEqual(WRONG);
      expect((await prove(user, { steps: [103] })).ok).toBe(true);
    });

    test('a recovery code is accepted once, with an event that tells how many are left', async () => {
      const user = await givenAdmin(store());
      const recoveryCodes = [aRecoveryHash(), aRecoveryHash()];
      await givenSecondFactor(store(), user, { recoveryCodes });
      const other = await givenAdmin(store());
      await givenSecondFactor(store(), other, { recoveryCodes: [aRecoveryHash()] });
      const [recoveryHash = aRecoveryHash()] = recoveryCodes;
      expect(await prove(other, { recoveryHash })).toEqual(WRONG);
      expect(await prove(user, { recoveryHash })).toEqual(
        ok({ usedRecoveryCode: true, recoveryCodesLeft: 1 }),
      );
      expect((await newestEvent(store()))?.details).toEqual({ left: 1 });
      expect(await prove(user, { recoveryHash })).toEqual(WRONG);
      expect((await store().secondFactors.find(user.id))?.recoveryCodesLeft).toBe(1);
    });

    test('after five wrong codes nothing is accepted until the first of them is 15 minutes old', async () => {
      const user = await givenAdmin(store());
      const recoveryHash = aRecoveryHash();
      await givenSecondFactor(store(), user, { recoveryCodes: [recoveryHash] });
      const guesses: Proof[] = [{ steps: [] }, { recoveryHash: aRecoveryHash() }];
      for (let count = 0; count < MAX_WRONG_CODES; count += 1)
        expect(await prove(user, guesses[count % 2] ?? { steps: [] }, at(count * 1000))).toEqual(WRONG);
      expect(await pausesOf(user)).toBe(1);
      const paused = (retryAfterSeconds: number) => err({ code: 'second_factor_paused', retryAfterSeconds });
      expect(await prove(user, { steps: [5] }, at(5000))).toEqual(paused(895));
      expect(await prove(user, { recoveryHash }, at(WRONG_WINDOW_MS - 1))).toEqual(paused(1));
      // One of the five is too old to count, so one more wrong code begins the next pause.
      expect(await prove(user, { steps: [] }, at(WRONG_WINDOW_MS))).toEqual(WRONG);
      expect(await prove(user, { steps: [5] }, at(WRONG_WINDOW_MS))).toEqual(paused(1));
      expect(await pausesOf(user)).toBe(2);
      expect((await prove(user, { steps: [5] }, at(WRONG_WINDOW_MS + 1000))).ok).toBe(true);
    });

    test('an accepted code forgets the wrong ones, and a pause is of one user', async () => {
      const [user, other] = [await givenAdmin(store()), await givenAdmin(store())];
      for (const each of [user, other]) await givenSecondFactor(store(), each);
      for (let count = 1; count < MAX_WRONG_CODES; count += 1) await prove(user, { steps: [] });
      expect((await prove(user, { steps: [1] })).ok).toBe(true);
      for (let count = 1; count < MAX_WRONG_CODES; count += 1)
        expect(await prove(user, { steps: [] })).toEqual(WRONG);
      expect(await prove(user, { steps: [] })).toEqual(WRONG);
      expect((await prove(user, { steps: [2] })).ok).toBe(false);
      expect((await prove(other, { steps: [2] })).ok).toBe(true);
    });

    test('a code is of one enrolment', async () => {
      const user = await givenAdmin(store());
      const none = err({ code: 'second_factor_not_enrolled' });
      expect(await prove(user, { steps: [1] })).toEqual(none);
      await givenSecondFactor(store(), user, { enrolledAt: at(5) });
      expect(await prove(user, { steps: [1] })).toEqual(none);
      expect((await prove(user, { steps: [1] }, START, at(5))).ok).toBe(true);
    });
  });
}
