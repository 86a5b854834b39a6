import { err } from '@gatehouse/domain';
import type { Proof, RecoveryCodeHash, SecondFactorRepository } from '@gatehouse/domain/second-factor';
import type { SealedSecret, SigningKey } from '@gatehouse/domain/signing-keys';
import {
  A_HASH,
  anEvent,
  aPendingSignIn,
  aRecoveryHash,
  aSecondFactor,
  aSecretHash,
  aSession,
  aSigningKey,
  givenAdmins,
  givenSecondFactor,
  givenSession,
  START,
} from '@gatehouse/domain/testing';
import type { Instant } from '@gatehouse/domain/time';
import type { User } from '@gatehouse/domain/users';
import { afterAll, describe, expect, test } from 'vitest';
import { GATE_HOLDS, type Hold, openStage, type Part } from '../../testing/stage.ts';
import { withoutLocks } from '../../testing/without-locks.ts';
import type { Database } from '../database/database.ts';
import { createPostgresSessionRepository } from '../sessions/session-repository.ts';
import { createPostgresSecondFactorRepository } from './second-factor-repository.ts';

type Make = (database: Database) => SecondFactorRepository;

const unlocked: Make = (database) => createPostgresSecondFactorRepository(withoutLocks(database));
const DONE = expect.objectContaining({ ok: true });
const ALL = { createdAfter: 0 as Instant, seenAfter: 0 as Instant };
const BEHIND = [{ at: 'gate', letGo: 'first' }, 'other'] as const;

describe('second factors on two servers', { timeout: 60_000 }, async () => {
  const stage = await openStage();
  afterAll(stage.close);

  const given = async (recoveryCodes: readonly RecoveryCodeHash[] = []) => {
    const [user] = await givenAdmins(stage.store);
    return { user, factor: await givenSecondFactor(stage.store, user, { recoveryCodes }) };
  };
  const prove =
    (make: Make, { id: userId }: User, proof: Proof): Part<{ readonly ok: boolean }> =>
    ({ database, event }) =>
      make(database).prove({ userId, enrolledAt: START }, proof, START, () => event());
  const atRow = ({ id }: User): Hold => ({ at: 'row', table: 'second_factors', id });

  /** Two servers get the same proof at once: how many accept it? */
  async function raceToProve(make: Make, proof: Proof, user: User) {
    const proved = await stage.race(prove(make, user, proof), prove(make, user, proof), atRow(user));
    return proved.filter(({ ok }) => ok).length;
  }

  test('a code is accepted by one of them, and by both without the lock', async () => {
    const proof = { steps: [7] };
    const repository = createPostgresSecondFactorRepository;
    expect(await raceToProve(repository, proof, (await given()).user)).toBe(1);
    expect(await raceToProve(unlocked, proof, (await given()).user)).toBe(2);
  });

  test('a recovery code is accepted by one of them', async () => {
    const recoveryHash = aRecoveryHash();
    const { user } = await given([recoveryHash]);
    expect(await raceToProve(createPostgresSecondFactorRepository, { recoveryHash }, user)).toBe(1);
  });

  test('wrong codes count together, so that a pause begins after five on both', async () => {
    const { user } = await given();
    for (let count = 0; count < 3; count += 1)
      await stage.store.secondFactors.prove(
        { userId: user.id, enrolledAt: START },
        { steps: [] },
        START,
        () => anEvent(),
      );
    const wrong = prove(createPostgresSecondFactorRepository, user, { steps: [] });
    expect(await stage.race(wrong, wrong, atRow(user))).toEqual([
      err({ code: 'second_factor_wrong' }),
      err({ code: 'second_factor_wrong' }),
    ]);
    const after = await stage.store.secondFactors.prove(
      { userId: user.id, enrolledAt: START },
      { steps: [1] },
      START,
      () => anEvent(),
    );
    expect(after).toMatchObject(err({ code: 'second_factor_paused' }));
  });

  const enrol =
    (
      make: Make,
      user: User,
      sessionId: ReturnType<typeof aSession>['id'],
      witness: SigningKey,
    ): Part<{ readonly ok: boolean }> =>
    ({ database, event }) =>
      make(database).enrol(aSecondFactor(user), [], { sessionId, witness }, event());

  async function givenEnrolling() {
    const [user] = await givenAdmins(stage.store);
    const witness = aSigningKey({ state: 'staged' });
    await stage.store.signingKeys.insert(witness, anEvent());
    const { id } = await givenSession(stage.store, user);
    return { user, witness, sessionId: id };
  }

  test('a user who enrols twice at once gets one second factor', async () => {
    for (const hold of GATE_HOLDS) {
      const { user, witness, sessionId } = await givenEnrolling();
      const part = enrol(createPostgresSecondFactorRepository, user, sessionId, witness);
      const enrolled = await stage.race(part, part, hold);
      expect(enrolled).toEqual(expect.arrayContaining([DONE, err({ code: 'second_factor_enrolled' })]));
    }
  });

  /** A session is opened behind a change of the second factor, for which it was not verified. */
  async function raceToOpen(
    user: User,
    change: Part<{ readonly ok: boolean }>,
    secondFactorAt: Instant | null,
  ) {
    const open: Part<{ readonly ok: boolean }> = ({ database, event }) =>
      createPostgresSessionRepository(database).insert(
        aSession(user),
        { verifiedHash: A_HASH, secondFactorAt },
        { keep: 100, ...ALL },
        { created: event(), ended: () => event() },
      );
    return stage.race(open, change, ...BEHIND);
  }

  test('an enrolment that comes first leaves no session to the password alone', async () => {
    const { user, witness, sessionId } = await givenEnrolling();
    const part = enrol(createPostgresSecondFactorRepository, user, sessionId, witness);
    expect(await raceToOpen(user, part, null)).toEqual([err({ code: 'password_changed' }), DONE]);
  });

  test('a sign-in whose second factor is reset meanwhile opens no session', async () => {
    const { user, factor } = await given();
    const pending = aPendingSignIn(factor);
    await stage.store.secondFactors.insertPending(pending);
    const reset: Part<{ readonly ok: boolean }> = ({ store, event }) =>
      store.secondFactors.reset(user.id, { at: START, reason: 'lost' }, event());
    expect(await raceToOpen(user, reset, START)).toEqual([err({ code: 'password_changed' }), DONE]);
    expect(await stage.store.secondFactors.takePending(pending.secretHash)).toBe(false);
  });

  test('a demand of the account that comes first keeps the second factor of an admin', async () => {
    const { user } = await given();
    const session = await givenSession(stage.store, user, {}, START);
    const remove: Part<{ readonly ok: boolean }> = ({ database, event }) =>
      createPostgresSecondFactorRepository(database).remove(
        user.id,
        {
          enrolledAt: START,
          sessionId: session.id,
          verifiedHash: A_HASH,
          renewal: { from: session.secretHash, to: aSecretHash() },
        },
        event(),
      );
    const demand: Part<{ readonly ok: boolean }> = ({ store, event }) =>
      store.secondFactors.setPolicy(user.accountId, 'admins', () => event());
    const [removed, demanded] = await stage.race(remove, demand, ...BEHIND);
    expect([removed, demanded]).toEqual([err({ code: 'second_factor_demanded' }), DONE]);
  });

  test('no secret is stored under a master key that is replaced meanwhile', async () => {
    const { user, witness, sessionId } = await givenEnrolling();
    const resealings = (await stage.store.signingKeys.list())
      .filter(({ state }) => state !== 'retired')
      .map(({ id, sealedSecret: from }) => ({ id, from, to: `${from}-next` as SealedSecret }));
    const reseal: Part<unknown> = ({ store, event }) => store.signingKeys.reseal(resealings, [event()]);
    const part = enrol(createPostgresSecondFactorRepository, user, sessionId, witness);
    const [enrolled] = await stage.race(part, reseal, ...BEHIND);
    expect(enrolled).toEqual(err({ code: 'keys_changed' }));
  });
});
