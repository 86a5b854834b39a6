import { describe, expect, test } from 'vitest';
import type { AccountId } from '../../src/accounts/index.ts';
import { err, ok } from '../../src/index.ts';
import { NOT_GIVEN } from '../../src/sessions/index.ts';
import type { SealedSecret } from '../../src/signing-keys/index.ts';
import { addMilliseconds, type Instant } from '../../src/time/index.ts';
import type { PasswordHash, User, UserId } from '../../src/users/index.ts';
import {
  A_GUARD,
  A_HASH,
  anEvent,
  aSecretHash,
  aSession,
  aToken,
  givenActiveKey,
  givenAdmin,
  givenAdmins,
  givenSession,
  givenUser,
  START,
} from '../fixtures.ts';
import { givenResetLink } from '../link-fixtures.ts';
import type { OpenRepositories } from '../repositories.ts';
import { aPendingSignIn, aRecoveryHash, givenSecondFactor } from '../second-factor-fixtures.ts';
import { isDeeplyFrozen } from './is-deeply-frozen.ts';
import { newestEvent, openRepositories } from './open-repositories.ts';

const CHANGED = err({ code: 'password_changed' });
const NOT_ENROLLED = err({ code: 'second_factor_not_enrolled' });
const ALL = { createdAfter: 0 as Instant, seenAfter: 0 as Instant };

export function secondFactorChangesContract(name: string, open: OpenRepositories): void {
  describe(`${name} keeps the contract of SecondFactorRepository: changes`, () => {
    const store = openRepositories(open);
    const setPolicy = (accountId: AccountId, policy: 'optional' | 'admins', by?: UserId) =>
      store().secondFactors.setPolicy(accountId, policy, (before) =>
        anEvent({
          ...(by !== undefined && { actor: { kind: 'user', id: by } }),
          action: 'account.second_factor_set',
          accountId,
          details: { before },
        }),
      );
    const givenBoth = async (user: User) => {
      const factor = await givenSecondFactor(store(), user);
      return { factor, session: await givenSession(store(), user, {}, factor.enrolledAt) };
    };
    const remove = async (
      user: User,
      { session }: Awaited<ReturnType<typeof givenBoth>>,
      parts: { readonly verifiedHash?: PasswordHash; readonly enrolledAt?: Instant } = {},
    ) =>
      store().secondFactors.remove(
        user.id,
        {
          enrolledAt: START,
          sessionId: session.id,
          verifiedHash: A_HASH,
          renewal: { from: session.secretHash, to: aSecretHash() },
          ...parts,
        },
        anEvent({ action: 'user.second_factor_removed' }),
      );

    test('after an enrolment, sessions that the password alone opened must confirm it with a code', async () => {
      const user = await givenAdmin(store());
      const [earlier, foreign] = [
        await givenSession(store(), user),
        await givenSession(store(), await givenAdmin(store())),
      ];
      const { sessionId } = await givenSecondFactor(store(), user);
      const given = async ({ secretHash }: typeof earlier) =>
        (await store().sessions.find(secretHash))?.passwordGivenAt;
      expect(await given(earlier)).toBe(NOT_GIVEN);
      expect(await given(foreign)).toBe(foreign.passwordGivenAt);
      const own = (await store().sessions.list(user.id, ALL)).find(({ id }) => id === sessionId);
      expect(own?.passwordGivenAt).toBe(earlier.passwordGivenAt);
    });

    test('recovery codes are replaced all at once', async () => {
      const user = await givenAdmin(store());
      const { sessionId } = await givenSecondFactor(store(), user, { recoveryCodes: [aRecoveryHash()] });
      const foreign = await givenSession(store(), await givenAdmin(store()));
      const hashes = [aRecoveryHash(), aRecoveryHash()];
      const replace = (enrolledAt = START, session = sessionId) =>
        store().secondFactors.replaceRecoveryCodes(
          user.id,
          hashes,
          { enrolledAt, sessionId: session },
          anEvent({ action: 'user.recovery_codes_made' }),
        );
      expect(await replace(addMilliseconds(START, 1))).toEqual(NOT_ENROLLED);
      expect(await replace(START, foreign.id)).toEqual(err({ code: 'session_not_found' }));
      expect((await store().secondFactors.find(user.id))?.recoveryCodesLeft).toBe(1);
      expect(await replace()).toEqual(ok(undefined));
      expect((await newestEvent(store()))?.action).toBe('user.recovery_codes_made');
      expect((await store().secondFactors.find(user.id))?.recoveryCodesLeft).toBe(2);
    });

    test('the user removes it, which renews the session and ends waiting sign-ins', async () => {
      const user = await givenAdmin(store());
      const both = await givenBoth(user);
      const pending = aPendingSignIn(both.factor);
      await store().secondFactors.insertPending(pending);
      expect(await remove(user, both, { verifiedHash: '$other' as PasswordHash })).toEqual(CHANGED);
      expect(await remove(user, both, { enrolledAt: addMilliseconds(START, 1) })).toEqual(NOT_ENROLLED);
      expect(await store().secondFactors.find(user.id)).toBeDefined();
      expect(await remove(user, both)).toEqual(ok(undefined));
      expect((await newestEvent(store()))?.action).toBe('user.second_factor_removed');
      expect(await store().secondFactors.find(user.id)).toBeUndefined();
      expect((await store().sessions.find(both.session.secretHash))?.secretReplacedAt).not.toBeNull();
      expect(await store().secondFactors.takePending(pending.secretHash)).toBe(false);
      expect((await store().users.findCredentials(user.email))?.secondFactor.enrolledAt).toBeNull();
    });

    test('one that the account demands cannot be removed', async () => {
      const user = await givenAdmin(store());
      const both = await givenBoth(user);
      await setPolicy(user.accountId, 'admins');
      expect(await remove(user, both)).toEqual(err({ code: 'second_factor_demanded' }));
      await setPolicy(user.accountId, 'optional');
      expect(await remove(user, both)).toEqual(ok(undefined));
    });

    test('the operator resets it, and the user finds when and why', async () => {
      const user = await givenAdmin(store());
      const factor = await givenSecondFactor(store(), user);
      const pending = aPendingSignIn(factor);
      await store().secondFactors.insertPending(pending);
      const noted = { at: START, reason: 'lost phone' };
      const reset = (id = user.id) =>
        store().secondFactors.reset(id, noted, anEvent({ action: 'user.second_factor_reset' }));
      expect(await store().secondFactors.findLastReset(user.id)).toBeUndefined();
      expect(await reset()).toEqual(ok(user));
      expect((await newestEvent(store()))?.action).toBe('user.second_factor_reset');
      expect(await store().secondFactors.takePending(pending.secretHash)).toBe(false);
      const found = await store().secondFactors.findLastReset(user.id);
      expect(found).toEqual(noted);
      expect(found).toSatisfy(isDeeplyFrozen);
      expect(await reset()).toEqual(NOT_ENROLLED);
      expect(await reset(999_999_999 as UserId)).toEqual(err({ code: 'user_not_found' }));
    });

    test('an account demands second factors until an admin or the operator changes it', async () => {
      const [admin, colleague] = await givenAdmins(store());
      const { accountId } = admin;
      expect(await store().secondFactors.findPolicy(accountId)).toBe('optional');
      expect(await store().secondFactors.findPolicy(999_999_999 as AccountId)).toBeUndefined();
      expect(await setPolicy(accountId, 'admins', admin.id)).toMatchObject(
        ok({ account: { id: accountId }, already: false }),
      );
      expect((await newestEvent(store()))?.details).toEqual({ before: 'optional' });
      expect(await setPolicy(accountId, 'admins')).toMatchObject(ok({ already: true }));
      expect(await store().secondFactors.findPolicy(accountId)).toBe('admins');
      expect((await store().users.findCredentials(admin.email))?.secondFactor.policy).toBe('admins');
      const { secretHash } = await givenSession(store(), admin);
      expect((await store().sessions.find(secretHash))?.secondFactor.policy).toBe('admins');
      await store().users.setRole(colleague.id, 'member', () => anEvent());
      const outsider = await givenAdmin(store());
      for (const { id } of [colleague, outsider])
        expect(await setPolicy(accountId, 'optional', id)).toEqual(err({ code: 'not_allowed' }));
      expect(await setPolicy(999_999_999 as AccountId, 'admins')).toEqual(err({ code: 'account_not_found' }));
    });

    test('a new password keeps it, also one by a link', async () => {
      const user = await givenAdmin(store());
      await givenSecondFactor(store(), user);
      const enrolledAt = async () =>
        (await store().users.findCredentials(user.email))?.secondFactor.enrolledAt;
      const revocation = { at: START, by: { kind: 'operator', name: 'root' }, reason: null } as const;
      await store().users.setPassword(user.id, A_HASH, revocation, anEvent());
      expect(await enrolledAt()).toBe(START);
      const { codeHash } = await givenResetLink(store(), user);
      const redeemed = await store().resetLinks.redeem(
        codeHash,
        A_HASH,
        { at: START, reason: '' },
        {
          reset: () => anEvent({ actor: { kind: 'user', id: user.id } }),
          proved: () => anEvent(),
        },
      );
      expect(redeemed.ok).toBe(true);
      expect([await enrolledAt(), await store().secondFactors.find(user.id)]).toMatchObject([
        START,
        { enrolledAt: START },
      ]);
    });

    test('a sign-in token is for a user whose password is enough', async () => {
      const user = await givenAdmin(store());
      const key = await givenActiveKey(store());
      const insert = () =>
        store().tokens.insertSignIn(aToken(user, key, { kind: 'sign-in' }), A_GUARD, anEvent());
      expect((await insert()).ok).toBe(true);
      await setPolicy(user.accountId, 'admins');
      expect(await insert()).toEqual(CHANGED);
      await setPolicy(user.accountId, 'optional');
      await givenSecondFactor(store(), user);
      expect(await insert()).toEqual(CHANGED);
    });

    test('a session needs the enrolment that was verified', async () => {
      const user = await givenAdmin(store());
      const insert = (secondFactorAt: Instant | null) =>
        store().sessions.insert(
          aSession(user),
          { verifiedHash: A_HASH, secondFactorAt },
          { keep: 100, ...ALL },
          { created: anEvent(), ended: () => anEvent() },
        );
      const before = await givenSession(store(), user);
      expect(await insert(START)).toEqual(CHANGED);
      await givenSecondFactor(store(), user);
      expect(await insert(null)).toEqual(CHANGED);
      expect(await insert(addMilliseconds(START, 1))).toEqual(CHANGED);
      expect(await insert(START)).toEqual(ok(undefined));
      const renewal = { from: before.secretHash, to: aSecretHash() };
      const guard = (secondFactorAt: Instant | null) => ({ verifiedHash: A_HASH, secondFactorAt });
      const confirm = (at: Instant | null) =>
        store().sessions.confirmPassword(before, START, guard(at), renewal);
      expect(await confirm(null)).toEqual(CHANGED);
      const change = (at: Instant | null) =>
        store().users.changePassword(
          user.id,
          A_HASH,
          { ...guard(at), kept: before.id, renewal },
          { at: START, by: { kind: 'user', id: user.id }, reason: null },
          anEvent(),
        );
      expect(await change(null)).toEqual(CHANGED);
      expect(await change(START)).toEqual(ok(undefined));
    });

    test('secrets are listed in pages and replaced unless they changed', async () => {
      const account = (await givenAdmin(store())).accountId;
      const users: User[] = [];
      for (let count = 0; count < 3; count += 1) users.push(await givenUser(store(), account));
      for (const user of users) await givenSecondFactor(store(), user);
      const [first, second, third] = users;
      if (!first || !second || !third) throw new Error('three users were made');
      const page = await store().secondFactors.list({ after: first.id, limit: 2 });
      expect(page.map(({ userId }) => userId)).toEqual([second.id, third.id]);
      expect(page[0]).toSatisfy(isDeeplyFrozen);
      const text = (sealed: string) => sealed as SealedSecret;
      await store().secondFactors.reseal([
        { userId: second.id, from: text('sealed'), to: text('resealed') },
        { userId: third.id, from: text('other'), to: text('resealed') },
        { userId: 999_999_999 as UserId, from: text('sealed'), to: text('resealed') },
      ]);
      const after = await store().secondFactors.list({ after: first.id, limit: 2 });
      expect(after.map(({ sealedSecret }) => sealedSecret)).toEqual(['resealed', 'sealed']);
      expect(await store().secondFactors.list({ after: third.id, limit: 2 })).toEqual([]);
    });
  });
}
