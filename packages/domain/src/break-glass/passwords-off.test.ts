import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  createProviderScene,
  givenConfirmationRule,
  givenEnrolled,
  inPerson,
  OPERATOR,
  PASSWORD,
  unwrap,
} from '../../testing/index.ts';
import { err } from '../result.ts';
import { completeSignIn } from '../second-factor/index.ts';
import { changeOwnPassword, confirmPassword, openSession } from '../sessions/index.ts';
import { signIn as signInByApi } from '../sign-in/index.ts';
import { addMilliseconds } from '../time/index.ts';
import { disableUser, type User } from '../users/index.ts';
import { armUser, disarmUser, MAX_OPEN_MS, markBreakGlass, mayUsePassword } from './index.ts';

const HOUR_MS = 3_600_000;
const NOT_ACCEPTED = err({ code: 'credentials_not_accepted' });
const ADDRESS = '192.0.2.7';

/** A scene in which passwords are off, and an admin of Acme has signed in with the provider. */
async function createOffScene() {
  const scene = await createProviderScene();
  const { world, signIn } = scene;
  const off = { ...world, passwordSignIn: 'break-glass' as const };
  unwrap(await signIn());
  const given = ({ email }: User, password = PASSWORD) => ({ email, password, address: ADDRESS });
  return {
    ...scene,
    onPage: (user: User, password?: string) =>
      openSession(off)({ ...given(user, password), userAgent: null }),
    complete: (secret: string, code: string) =>
      completeSignIn(off)({ secret, code, address: ADDRESS, userAgent: null }),
    byApi: (user: User) => signInByApi({ ...off, format: 'paseto', lifetimeMs: HOUR_MS })(given(user)),
    confirm: async (user: User) => {
      const { session, secret } = await scene.withPassword(user);
      const own = { sessionId: session.id, secret, email: user.email, password: PASSWORD };
      return {
        confirmed: await confirmPassword(off)(inPerson(user), own),
        changed: await changeOwnPassword(off)(inPerson(user), { ...own, newPassword: 'seven green teapots' }),
      };
    },
    arm: (user: User, forMs = HOUR_MS) => armUser(world)(OPERATOR, { email: user.email, forMs }),
    disarm: (user: User) => disarmUser(world)(OPERATOR, { email: user.email }),
  };
}

test('the passwords of an account are off once one of its admins has signed in with a provider', async () => {
  const { onPage, byApi, confirm, ada, mia, eve } = await createOffScene();
  for (const user of [ada, mia]) {
    expect(await onPage(user)).toEqual(NOT_ACCEPTED);
    expect(await byApi(user)).toEqual(NOT_ACCEPTED);
    expect(await confirm(user)).toEqual({ confirmed: NOT_ACCEPTED, changed: NOT_ACCEPTED });
  }
  expect(await onPage(eve)).toMatchObject({ ok: true });
  expect(await byApi(eve)).toMatchObject({ ok: true });
});

test('a member who signs in with a provider turns no password off', async () => {
  const { world, signIn, mia, ada } = await createProviderScene();
  unwrap(await signIn({ subject: 'mia', email: mia.email }));
  const credentials = { email: ada.email, password: PASSWORD, address: ADDRESS, userAgent: null };
  expect(await openSession({ ...world, passwordSignIn: 'break-glass' })(credentials)).toMatchObject({
    ok: true,
  });
});

test('the password of an armed user is open on pages until the time has passed, and never for the API', async () => {
  const { world, onPage, byApi, arm, ada, mia, events } = await createOffScene();
  expect(await arm(ada)).toMatchObject({ value: { until: addMilliseconds(world.clock.now(), HOUR_MS) } });
  expect((await events(1))[0]).toMatchObject({
    action: 'user.armed',
    actor: { kind: 'operator', name: 'root' },
    accountId: ada.accountId,
    details: { email: ada.email, until: '2026-01-01T01:00:00.000Z' },
  });
  expect(await onPage(ada)).toMatchObject({ ok: true });
  expect(await onPage(ada, 'a wrong password')).toEqual(NOT_ACCEPTED);
  expect(await onPage(mia)).toEqual(NOT_ACCEPTED);
  expect(await byApi(ada)).toEqual(NOT_ACCEPTED);
  world.clock.advance(HOUR_MS - 1);
  expect(await onPage(ada)).toMatchObject({ ok: true });
  world.clock.advance(1);
  expect(await onPage(ada)).toEqual(NOT_ACCEPTED);
});

test('an operator closes an open password', async () => {
  const { onPage, arm, disarm, ada, events } = await createOffScene();
  await arm(ada);
  expect(await disarm(ada)).toMatchObject({ value: { already: false } });
  expect((await events(1))[0]).toMatchObject({ action: 'user.disarmed' });
  expect(await onPage(ada)).toEqual(NOT_ACCEPTED);
  expect(await disarm(ada)).toMatchObject({ value: { already: true } });
});

test('a sign-in that waits for its code ends with the time for which the password is open', async () => {
  const { world, onPage, complete, arm, disarm, ada } = await createOffScene();
  const { code } = await givenEnrolled(world, ada);
  const expired = err({ code: 'sign_in_expired' });
  const pendingOf = async () => {
    const given = await onPage(ada);
    if (given.ok || given.error.code !== 'second_factor_required') throw new Error('no code was asked for');
    return given.error.pending;
  };
  await arm(ada, 60_000);
  const [first, second] = [await pendingOf(), await pendingOf()];
  world.clock.advance(59_999);
  expect(await complete(first, code())).toMatchObject({ ok: true });
  world.clock.advance(1);
  expect(await complete(second, code(1))).toEqual(expired);
  await arm(ada);
  const third = await pendingOf();
  await disarm(ada);
  expect(await complete(third, code(1))).toEqual(expired);
});

test('only an operator opens a password, of an active user, and for at most 24 hours', async () => {
  const { world, arm, ada, mia } = await createOffScene();
  const asAda = await armUser(world)(inPerson(ada), { email: ada.email, forMs: HOUR_MS });
  expect(asAda).toEqual(err({ code: 'not_allowed' }));
  for (const forMs of [0, -1, MAX_OPEN_MS + 1, Number.NaN])
    expect(await arm(ada, forMs)).toMatchObject({ error: { code: 'invalid_input' } });
  expect(await arm(ada, MAX_OPEN_MS)).toMatchObject({ ok: true });
  unwrap(await disableUser(world)(OPERATOR, { id: mia.id, reason: null, transferTo: null }));
  expect(await arm(mia)).toEqual(err({ code: 'user_disabled' }));
});

test('a refused password is hashed as others are', async () => {
  const { world, ada } = await createOffScene();
  const verified: boolean[] = [];
  const passwords: typeof world.passwords = {
    ...world.passwords,
    async verify(password, hash) {
      verified.push(hash !== undefined);
      return world.passwords.verify(password, hash);
    },
  };
  const off = { ...world, passwords, passwordSignIn: 'break-glass' as const };
  for (const email of [ada.email, 'who@acme.example'])
    await openSession(off)({ email, password: PASSWORD, address: ADDRESS, userAgent: null });
  expect(verified).toEqual([true, false]);
});

test('a user marked for emergencies is never linked, and loses the identities', async () => {
  const { world, signIn, link, ada, own } = await createProviderScene();
  const opened = unwrap(await signIn());
  await givenConfirmationRule(world, ada.accountId, HOUR_MS);
  const until = async () => (await world.users.findById(ada.id))?.confirmedUntil;
  expect(await until()).toBe(world.clock.now() + HOUR_MS);
  unwrap(await markBreakGlass(world)(OPERATOR, { email: ada.email }));
  expect(await until()).toBeNull();
  expect(opened.user).toEqual(ada);
  const refused = { error: { reason: 'user_is_break_glass' } };
  expect(await signIn()).toMatchObject(refused);
  expect(await link(ada)).toMatchObject(refused);
  expect(await own(ada)).toMatchObject({ value: { identities: [], linkable: [] } });
});

test('passwords are off only by the setting and after a sign-in of an admin', () => {
  const instant = fc.option(fc.integer({ min: 0, max: 9 }).map((at) => at as never));
  const mode = fc.constantFrom('on' as const, 'break-glass' as const);
  fc.assert(
    fc.property(mode, instant, instant, fc.boolean(), (setting, providerAdminAt, openUntil, isOnPage) => {
      const now = { at: 5 as never, isOnPage };
      const isOpen = isOnPage && openUntil !== null && openUntil > 5;
      const isOff = setting === 'break-glass' && providerAdminAt !== null;
      expect(mayUsePassword(setting, { providerAdminAt, openUntil }, now)).toBe(!isOff || isOpen);
    }),
  );
});
