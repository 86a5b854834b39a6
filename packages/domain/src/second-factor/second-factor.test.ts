import { beforeEach, describe, expect, test, vi } from 'vitest';
import {
  createFakeKeyEncryption,
  createWorldWithAdmins,
  givenEnrolled,
  inPerson,
  OPERATOR,
  PASSWORD,
  unwrap,
  type World,
} from '../../testing/index.ts';
import { SetupFault } from '../faults.ts';
import { err, ok } from '../result.ts';
import { findSession } from '../sessions/find-session.ts';
import { openSession } from '../sessions/open-session.ts';
import { changeOwnPassword, confirmPassword } from '../sessions/own-password.ts';
import { signIn } from '../sign-in/sign-in.ts';
import { rewrapKeys } from '../signing-keys/rewrap-keys.ts';
import type { User } from '../users/user.ts';
import { completeSignIn, findPendingSignIn } from './complete-sign-in.ts';
import { beginEnrolment, confirmEnrolment, findEnrolment } from './enrol-second-factor.ts';
import { newRecoveryCodes, removeOwnSecondFactor, showOwnSecondFactor } from './own-second-factor.ts';
import { resealSecondFactors } from './reseal-second-factors.ts';
import { resetSecondFactor } from './reset-second-factor.ts';
import { PENDING_SIGN_IN_MS, WRONG_WINDOW_MS } from './second-factor.ts';
import { setSecondFactorPolicy, showSecondFactorPolicy } from './set-second-factor-policy.ts';

const ADDRESS = '192.0.2.1';
const WRONG = err({ code: 'second_factor_wrong' });
const EXPIRED = err({ code: 'sign_in_expired' });
const NOT_ACCEPTED = err({ code: 'credentials_not_accepted' });

let world: World;
let ada: User;
let eve: User;
beforeEach(async () => {
  ({ world, ada, eve } = await createWorldWithAdmins());
});

const givePassword = ({ email }: User) =>
  openSession(world)({ email, password: PASSWORD, address: ADDRESS, userAgent: null });
const complete = (secret: string, code: string) =>
  completeSignIn(world)({ secret, code, address: ADDRESS, userAgent: null });
const byApi = ({ email }: User) =>
  signIn({ ...world, format: 'paseto', lifetimeMs: 86_400_000 })({
    email,
    password: PASSWORD,
    address: ADDRESS,
  });
/** Gives the password, and returns what the browser has then. */
async function pendingOf(user: User) {
  const given = await givePassword(user);
  if (given.ok || given.error.code !== 'second_factor_required') throw new Error('no code was asked for');
  return given.error.pending;
}
/** Signs the user in, and returns what a page has of the session. */
async function signedIn(user: User, code?: string) {
  const { secret } = unwrap(
    code === undefined ? await givePassword(user) : await complete(await pendingOf(user), code),
  );
  return { secret, ...unwrap(await findSession(world)(secret, ADDRESS)) };
}
const actions = async () => (await world.audit.list({ limit: 5 })).map(({ event }) => event.action);
const demand = (policy: 'admins' | 'optional', accountId = ada.accountId) =>
  setSecondFactorPolicy(world)(OPERATOR, { accountId, policy });

describe('signing in', () => {
  test('the password opens no session, and the code opens one', async () => {
    const { code } = await givenEnrolled(world, ada);
    const pending = await pendingOf(ada);
    expect((await findSession(world)(pending, ADDRESS)).ok).toBe(false);
    expect(await findPendingSignIn(world)({ secret: pending, address: ADDRESS })).toEqual(ok(ada));
    expect(await complete(pending, code(-3))).toEqual(WRONG);
    expect(await complete(pending, 'not a code')).toEqual(WRONG);
    const opened = unwrap(await complete(pending, code()));
    expect(opened).toMatchObject({ usedRecoveryCode: false, recoveryCodesLeft: 10 });
    expect(unwrap(await findSession(world)(opened.secret, ADDRESS)).user).toEqual(ada);
    expect(await complete(pending, code(1))).toEqual(EXPIRED);
  });

  test('a code opens one session, also with another password entry', async () => {
    const { code } = await givenEnrolled(world, ada);
    const [first, second] = [await pendingOf(ada), await pendingOf(ada)];
    expect((await complete(first, code())).ok).toBe(true);
    expect(await complete(second, code())).toEqual(WRONG);
    world.clock.advance(30_000);
    expect((await complete(second, code())).ok).toBe(true);
  });

  test('a recovery code takes the place of a code once, in any writing', async () => {
    const { recoveryCodes } = await givenEnrolled(world, ada);
    const [code = ''] = recoveryCodes;
    expect(
      unwrap(await complete(await pendingOf(ada), code.toLowerCase().replaceAll('-', ' '))),
    ).toMatchObject({
      usedRecoveryCode: true,
      recoveryCodesLeft: 9,
    });
    expect(await actions()).toContain('user.recovery_code_used');
    expect(await complete(await pendingOf(ada), code)).toEqual(WRONG);
  });

  test('the password waits ten minutes for the code', async () => {
    const { code } = await givenEnrolled(world, ada);
    const [first, second] = [await pendingOf(ada), await pendingOf(ada)];
    world.clock.advance(PENDING_SIGN_IN_MS - 1);
    expect((await complete(first, code())).ok).toBe(true);
    world.clock.advance(1);
    expect(await complete(second, code())).toEqual(EXPIRED);
    expect(await complete('A'.repeat(43), code())).toEqual(EXPIRED);
    expect(await complete('', code())).toEqual(EXPIRED);
  });

  test('after five wrong codes no code is accepted, and the password still is', async () => {
    const { code, recoveryCodes } = await givenEnrolled(world, ada);
    const pending = await pendingOf(ada);
    for (let count = 0; count < 5; count += 1) expect(await complete(pending, code(-5))).toEqual(WRONG);
    const paused = err({ code: 'second_factor_paused', retryAfterSeconds: WRONG_WINDOW_MS / 1000 });
    expect(await actions()).toContain('user.second_factor_paused');
    expect(await complete(pending, code())).toEqual(paused);
    expect(await complete(pending, recoveryCodes[0] ?? '')).toEqual(paused);
    expect((await givePassword(eve)).ok).toBe(true);
    world.clock.advance(WRONG_WINDOW_MS);
    expect((await complete(await pendingOf(ada), code())).ok).toBe(true);
  });

  test('a reset or a new password while the code is awaited ends the sign-in', async () => {
    const { code } = await givenEnrolled(world, ada);
    const pending = await pendingOf(ada);
    unwrap(await resetSecondFactor(world)(OPERATOR, { email: ada.email, reason: 'lost phone' }));
    expect(await complete(pending, code())).toEqual(EXPIRED);
    expect((await givePassword(ada)).ok).toBe(true);
  });

  test('an enrolment while the password is verified asks for the code', async () => {
    const verify = world.passwords.verify;
    vi.spyOn(world.passwords, 'verify').mockImplementationOnce(async (...given) => {
      const verified = await verify(...given);
      await givenEnrolled(world, ada);
      return verified;
    });
    expect(await givePassword(ada)).toMatchObject({ error: { code: 'second_factor_required' } });
  });

  test('the attempt counts as successful only with the code', async () => {
    const { code } = await givenEnrolled(world, ada);
    const succeeded = vi.spyOn(world.throttle, 'succeeded');
    const pending = await pendingOf(ada);
    await complete(pending, code(-5));
    expect(succeeded).not.toHaveBeenCalled();
    expect((await complete(pending, code())).ok).toBe(true);
    expect(succeeded).toHaveBeenCalledOnce();
  });

  test('a secret that the master key does not decrypt is a fault that names the way on', async () => {
    const { code, recoveryCodes } = await givenEnrolled(world, ada);
    const other = { ...world, encryption: createFakeKeyEncryption('other') };
    const input = { secret: await pendingOf(ada), address: ADDRESS, userAgent: null };
    await expect(completeSignIn(other)({ ...input, code: code() })).rejects.toThrow(SetupFault);
    expect((await completeSignIn(other)({ ...input, code: recoveryCodes[0] ?? '' })).ok).toBe(true);
  });
});

describe('the API', () => {
  test('refuses the right password of anyone who enrolled, after the same work', async () => {
    expect((await byApi(ada)).ok).toBe(true);
    await givenEnrolled(world, ada);
    const verify = vi.spyOn(world.passwords, 'verify');
    const insert = vi.spyOn(world.tokens, 'insertSignIn');
    expect(await byApi(ada)).toEqual(NOT_ACCEPTED);
    expect([verify.mock.calls.length, insert.mock.calls.length]).toEqual([1, 0]);
    expect((await byApi(eve)).ok).toBe(true);
  });

  test('refuses an admin from whom the account demands one', async () => {
    unwrap(await demand('admins'));
    expect(await byApi(ada)).toEqual(NOT_ACCEPTED);
    expect((await byApi(eve)).ok).toBe(true);
    unwrap(await demand('optional'));
    expect((await byApi(ada)).ok).toBe(true);
  });

  test('refuses a user who enrolled while the password was verified', async () => {
    const insertSignIn = world.tokens.insertSignIn;
    vi.spyOn(world.tokens, 'insertSignIn').mockImplementationOnce(async (...given) => {
      await givenEnrolled(world, ada);
      return insertSignIn(...given);
    });
    expect(await byApi(ada)).toEqual(NOT_ACCEPTED);
  });
});

describe('enrolling', () => {
  const begin = async () => {
    const own = await signedIn(ada);
    return { own, ...unwrap(await beginEnrolment(world)(own.caller, own)) };
  };
  const codeOf = (secret: string, steps = 0) => {
    const bits = [...secret].map((each) =>
      'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'.indexOf(each).toString(2).padStart(5, '0'),
    );
    const bytes =
      bits
        .join('')
        .match(/.{8}/g)
        ?.map((byte) => Number.parseInt(byte, 2)) ?? [];
    const step = Math.floor(world.clock.now() / 30_000) + steps;
    return world.secondFactorSecrets.codeOf(Uint8Array.from(bytes), step);
  };

  test('takes effect with a right code, which works once, and shows the recovery codes', async () => {
    const { own, secret, sealed } = await begin();
    expect(unwrap(await findEnrolment(world)(own.caller, { ...own, sealed })).secret).toBe(secret);
    const confirm = (code: string) => confirmEnrolment(world)(own.caller, { ...own, sealed, code });
    expect(await confirm(codeOf(secret, -3))).toEqual(WRONG);
    expect((await givePassword(ada)).ok).toBe(true);
    const { recoveryCodes } = unwrap(await confirm(codeOf(secret)));
    expect(await actions()).toContain('user.second_factor_enrolled');
    expect(recoveryCodes).toHaveLength(10);
    const pending = await pendingOf(ada);
    expect(await complete(pending, codeOf(secret))).toEqual(WRONG);
    expect((await complete(pending, recoveryCodes[9] ?? '')).ok).toBe(true);
    expect(await confirm(codeOf(secret, 1))).toEqual(err({ code: 'second_factor_enrolled' }));
    expect(await beginEnrolment(world)(own.caller, own)).toEqual(err({ code: 'second_factor_enrolled' }));
    const log = JSON.stringify(await world.audit.list({ limit: 100 }));
    for (const hidden of [secret, ...recoveryCodes]) expect(log).not.toContain(hidden);
  });

  test('needs a password that was given recently, at the begin and at the end', async () => {
    const { own, secret, sealed } = await begin();
    world.clock.advance(11 * 60_000);
    const refused = err({ code: 'password_not_fresh' });
    expect(await beginEnrolment(world)(own.caller, own)).toEqual(refused);
    const code = codeOf(secret);
    expect(await confirmEnrolment(world)(own.caller, { ...own, sealed, code })).toEqual(refused);
  });

  test('leaves no new recovery codes to a session that the password alone opened before', async () => {
    const stolen = await signedIn(ada);
    const { own, secret, sealed } = await begin();
    unwrap(await confirmEnrolment(world)(own.caller, { ...own, sealed, code: codeOf(secret) }));
    const again = unwrap(await findSession(world)(stolen.secret, ADDRESS));
    expect(await newRecoveryCodes(world)(again.caller, again)).toEqual(err({ code: 'password_not_fresh' }));
    const here = unwrap(await findSession(world)(own.secret, ADDRESS));
    expect((await newRecoveryCodes(world)(here.caller, here)).ok).toBe(true);
  });

  test('belongs to the session in which it began', async () => {
    const { own, secret, sealed } = await begin();
    const [later, foreign] = [await signedIn(ada), await signedIn(eve)];
    for (const { caller, ...another } of [later, foreign]) {
      const input = { ...another, sealed, code: codeOf(secret) };
      expect(await confirmEnrolment(world)(caller, input)).toEqual(err({ code: 'enrolment_not_valid' }));
    }
    await world.sessions.end(own.session, { ...(await newest()) });
    const ended = { ...own, sealed, code: codeOf(secret) };
    expect(await confirmEnrolment(world)(own.caller, ended)).toEqual(err({ code: 'session_not_found' }));
  });

  const newest = async () => {
    const [entry] = await world.audit.list({ limit: 1 });
    return entry?.event ?? expect.fail();
  };

  test('waits for the end of older servers, and so does a demand', async () => {
    const { own, secret, sealed } = await begin();
    const disconnect = world.editions.connectOlder();
    const older = { error: { code: 'older_edition_serves' } };
    expect(await beginEnrolment(world)(own.caller, own)).toMatchObject(older);
    const confirm = () => confirmEnrolment(world)(own.caller, { ...own, sealed, code: codeOf(secret) });
    expect(await confirm()).toMatchObject(older);
    expect(await demand('admins')).toMatchObject(older);
    expect((await demand('optional')).ok).toBe(true);
    disconnect();
    expect((await confirm()).ok).toBe(true);
  });
});

describe('entering the password again', () => {
  test('asks for the code, too, and looks at it only after the right password', async () => {
    const { code } = await givenEnrolled(world, ada);
    const { caller, session, secret } = await signedIn(ada, code());
    const given = { sessionId: session.id, secret, email: ada.email, password: PASSWORD };
    expect(await confirmPassword(world)(caller, given)).toEqual(err({ code: 'second_factor_required' }));
    expect(await confirmPassword(world)(caller, { ...given, code: code() })).toEqual(WRONG);
    const next = code(1);
    expect(await confirmPassword(world)(caller, { ...given, password: 'wrong', code: next })).toEqual(
      NOT_ACCEPTED,
    );
    expect((await confirmPassword(world)(caller, { ...given, code: next })).ok).toBe(true);
  });

  test('a password is changed with a code only, and the code counts once for both tries', async () => {
    const { code } = await givenEnrolled(world, ada);
    const { caller, session, secret } = await signedIn(ada, code());
    const given = { sessionId: session.id, secret, email: ada.email, password: PASSWORD };
    const change = (parts: { readonly code?: string }) =>
      changeOwnPassword(world)(caller, { ...given, newPassword: 'a heavy press, twice', ...parts });
    expect(await change({})).toEqual(err({ code: 'second_factor_required' }));
    const changePassword = world.users.changePassword;
    vi.spyOn(world.users, 'changePassword')
      .mockImplementationOnce(async () => err({ code: 'password_changed' }))
      .mockImplementation(changePassword);
    expect((await change({ code: code(1) })).ok).toBe(true);
  });
});

describe('removing it', () => {
  test('takes password and code, and the session gets a new secret', async () => {
    const { code } = await givenEnrolled(world, ada);
    const { caller, session, secret } = await signedIn(ada, code());
    const given = { sessionId: session.id, secret, email: ada.email, password: PASSWORD };
    const remove = (parts: { readonly code?: string }) =>
      removeOwnSecondFactor(world)(caller, { ...given, ...parts });
    expect(await remove({})).toEqual(err({ code: 'second_factor_required' }));
    unwrap(await demand('admins'));
    expect(await remove({ code: code(1) })).toEqual(err({ code: 'second_factor_demanded' }));
    unwrap(await demand('optional'));
    world.clock.advance(60_000);
    const { secret: renewed } = unwrap(await remove({ code: code() }));
    expect((await findSession(world)(secret, ADDRESS)).ok).toBe(false);
    expect((await findSession(world)(renewed, ADDRESS)).ok).toBe(true);
    expect((await givePassword(ada)).ok).toBe(true);
  });

  test('new recovery codes end the old ones', async () => {
    const { code, recoveryCodes } = await givenEnrolled(world, ada);
    const own = await signedIn(ada, code());
    const { recoveryCodes: others } = unwrap(await newRecoveryCodes(world)(own.caller, own));
    expect(await complete(await pendingOf(ada), recoveryCodes[0] ?? '')).toEqual(WRONG);
    expect((await complete(await pendingOf(ada), others[0] ?? '')).ok).toBe(true);
    expect(unwrap(await showOwnSecondFactor(world)(own.caller)).enrolled?.recoveryCodesLeft).toBe(9);
    world.clock.advance(11 * 60_000);
    expect(await newRecoveryCodes(world)(own.caller, own)).toEqual(err({ code: 'password_not_fresh' }));
  });
});

describe('a reset by the operator', () => {
  const reset = (parts: { readonly email?: string; readonly reason?: string } = {}) =>
    resetSecondFactor(world)(OPERATOR, { email: ada.email, reason: 'lost phone', ...parts });

  test('needs a reason, and tells its subject', async () => {
    await givenEnrolled(world, ada);
    expect(await reset({ reason: '  ' })).toMatchObject({ error: { code: 'invalid_input' } });
    expect(await reset({ email: 'nobody@acme.example' })).toEqual(err({ code: 'user_not_found' }));
    expect(await reset()).toEqual(ok({ user: ada }));
    const [entry] = await world.audit.list({ limit: 1 });
    expect(entry?.event).toMatchObject({
      action: 'user.second_factor_reset',
      subject: { id: String(ada.id) },
      details: { email: ada.email, reason: 'lost phone' },
    });
    const { caller } = await signedIn(ada);
    expect(unwrap(await showOwnSecondFactor(world)(caller))).toEqual({
      enrolled: undefined,
      lastReset: { at: world.clock.now(), reason: 'lost phone' },
    });
    expect(await reset()).toEqual(err({ code: 'second_factor_not_enrolled' }));
  });

  test('is refused to admins', async () => {
    await givenEnrolled(world, ada);
    const input = { email: ada.email, reason: 'lost phone' };
    expect(await resetSecondFactor(world)(inPerson(ada), input)).toEqual(err({ code: 'not_allowed' }));
  });
});

describe('a demand of the account', () => {
  test('leads admins without one to the enrolment, and no others', async () => {
    const before = await signedIn(ada);
    expect(before.mustEnrol).toBe(false);
    unwrap(await setSecondFactorPolicy(world)(before.caller, { accountId: ada.accountId, policy: 'admins' }));
    expect(unwrap(await findSession(world)(before.secret, ADDRESS)).mustEnrol).toBe(true);
    expect((await signedIn(eve)).mustEnrol).toBe(false);
    const { code } = await givenEnrolled(world, ada);
    expect((await signedIn(ada, code())).mustEnrol).toBe(false);
    expect(unwrap(await showSecondFactorPolicy(world)(before.caller, ada.accountId))).toBe('admins');
  });

  test('of another account is not found', async () => {
    const policy = { accountId: ada.accountId, policy: 'admins' } as const;
    const absent = err({ code: 'account_not_found' });
    expect(await setSecondFactorPolicy(world)(inPerson(eve), policy)).toEqual(absent);
    expect(await showSecondFactorPolicy(world)(inPerson(eve), ada.accountId)).toEqual(absent);
  });
});

test('a new master key takes the secrets along, and those that were lost before stay', async () => {
  const { code } = await givenEnrolled(world, ada);
  await givenEnrolled({ ...world, encryption: createFakeKeyEncryption('lost') }, eve);
  const next = createFakeKeyEncryption('next');
  const masterKeys: World['masterKeys'] = {
    replace: (work) => work({ current: world.encryption, next, complete: async () => undefined }),
  };
  const rewrap = async () => unwrap(await rewrapKeys({ ...world, masterKeys })(OPERATOR)).factors;
  expect(await rewrap()).toEqual({ rewrapped: 1, unchanged: 0, unreadable: 1 });
  expect(await rewrap()).toEqual({ rewrapped: 0, unchanged: 1, unreadable: 1 });
  const secret = await pendingOf(ada);
  const input = { secret, code: code(), address: ADDRESS, userAgent: null };
  expect((await completeSignIn({ ...world, encryption: next })(input)).ok).toBe(true);
});

test('a new master key takes many secrets along in batches of 500', async () => {
  const sealedSecret = await world.encryption.seal(new Uint8Array(20), 'second-factor:1');
  const factors = Array.from({ length: 1001 }, (_, index) => ({
    userId: (index + 1) as User['id'],
    sealedSecret,
    enrolledAt: world.clock.now(),
  }));
  const resealed: number[] = [];
  const secondFactors: World['secondFactors'] = {
    ...world.secondFactors,
    list: async ({ after = 0, limit }) => factors.filter(({ userId }) => userId > after).slice(0, limit),
    reseal: async (resealings) => void resealed.push(resealings.length),
  };
  const open = async () => ok(new Uint8Array(20));
  const next = createFakeKeyEncryption('next');
  const current = { ...world.encryption, open };
  const done = await resealSecondFactors(
    { secondFactors },
    { current, next, complete: async () => undefined },
  );
  expect([done.rewrapped, resealed]).toEqual([1001, [500, 500, 1]]);
});
