import { beforeEach, describe, expect, test, vi } from 'vitest';
import {
  anEvent,
  createFakePasswordHasher,
  createInMemorySignInThrottle,
  createWorldWithAdmins,
  givenToken,
  OPERATOR,
  PASSWORD,
  START,
  unwrap,
  type World,
} from '../../testing/index.ts';
import type { Principal } from '../access/index.ts';
import { err, ok } from '../result.ts';
import { DEFAULT_SIGN_IN_LIMITS } from '../sign-in/sign-in-throttle.ts';
import { addMilliseconds } from '../time/instant.ts';
import { emailKey } from '../users/email.ts';
import type { User } from '../users/user.ts';
import { findSession } from './find-session.ts';
import { openSession } from './open-session.ts';
import { changeOwnPassword, confirmPassword } from './own-password.ts';
import { endOtherSessions, endOwnSession, endSession, listOwnSessions } from './own-sessions.ts';
import type { SessionId } from './session.ts';
import type { SessionSecret } from './session-secrets.ts';
import { sweepSessions } from './sweep-sessions.ts';

const NEW_PASSWORD = 'a heavy press, twice';
const NOT_ACCEPTED = err({ code: 'credentials_not_accepted' });
const NOT_FOUND = err({ code: 'session_not_found' });
const UNKNOWN = '01890000-0000-7000-8000-ffffffffffff' as SessionId;

let world: World;
let ada: User;
let eve: User;
let caller: Principal;
let here: SessionId;
let secret: SessionSecret;
beforeEach(async () => {
  ({ world, ada, eve } = await createWorldWithAdmins());
  const opened = await signInAs(ada);
  secret = opened.secret;
  here = opened.session.id;
  ({ caller } = unwrap(await findSession(world)(secret, '192.0.2.1')));
});

async function signInAs({ email }: User) {
  const input = { email, password: PASSWORD, address: '192.0.2.1', userAgent: null };
  return unwrap(await openSession(world)(input));
}
const works = async (one: SessionSecret) => (await findSession(world)(one, '192.0.2.1')).ok;
const newestEvent = async () => (await world.audit.list({ limit: 1 }))[0]?.event;
const ending = (id: SessionId, reason: string) => ({
  action: 'session.ended',
  actor: { kind: 'user', id: ada.id },
  origin: '192.0.2.1',
  subject: { type: 'session', id },
  accountId: ada.accountId,
  details: { reason },
});

describe('the caller’s own sessions', () => {
  test('signing out ends the session, and doing it again is no error', async () => {
    const end = endSession(world);
    expect(await end(caller, here)).toEqual(ok(undefined));
    expect(await works(secret)).toBe(false);
    expect(await newestEvent()).toMatchObject(ending(here, 'the user signed out'));
    const before = (await world.audit.list({ limit: 100 })).length;
    expect(await end(caller, here)).toEqual(ok(undefined));
    expect(await world.audit.list({ limit: 100 })).toHaveLength(before);
  });

  test('are listed while they are live, the newest first; another user’s are not', async () => {
    await signInAs(eve);
    world.clock.advance(29 * 60_000);
    const second = await signInAs(ada);
    const list = async () => unwrap(await listOwnSessions(world)(caller)).map(({ id }) => id);
    expect(await list()).toEqual([second.session.id, here]);
    world.clock.advance(60_000);
    expect(await list()).toEqual([second.session.id]);
  });

  test('one is ended by its id; another user’s is absent, and keeps working', async () => {
    const [second, foreign] = [await signInAs(ada), await signInAs(eve)];
    const end = endOwnSession(world);
    expect(await end(caller, foreign.session.id)).toEqual(NOT_FOUND);
    expect(await end(caller, UNKNOWN)).toEqual(NOT_FOUND);
    expect(await end(caller, second.session.id)).toEqual(ok(undefined));
    expect(await newestEvent()).toMatchObject(
      ending(second.session.id, 'the user ended the session from another session'),
    );
    expect(await Promise.all([secret, second.secret, foreign.secret].map(works))).toEqual([
      true,
      false,
      true,
    ]);
  });

  test('all others are ended at once', async () => {
    const others = [await signInAs(ada), await signInAs(ada)];
    const foreign = await signInAs(eve);
    expect(await endOtherSessions(world)(caller, here)).toEqual(ok({ ended: 2 }));
    const all = [secret, foreign.secret, ...others.map((one) => one.secret)];
    expect(await Promise.all(all.map(works))).toEqual([true, true, false, false]);
    const ended = await world.audit.list({ actions: ['session.ended'], limit: 10 });
    expect(ended.map(({ event }) => event)).toEqual(
      others
        .toReversed()
        .map(({ session: { id } }) =>
          expect.objectContaining(ending(id, 'the user ended all other sessions')),
        )
        .toReversed(),
    );
  });

  test('the operator and tokens have none', async () => {
    const denied = err({ code: 'not_allowed' });
    const token: Principal = { ...caller, scopes: ['*'] };
    for (const one of [OPERATOR as never, token]) {
      expect(await listOwnSessions(world)(one)).toEqual(denied);
      expect(await endOtherSessions(world)(one, here)).toEqual(denied);
      const passwords = { sessionId: here, secret, email: ada.email, password: PASSWORD };
      expect(await confirmPassword(world)(one, passwords)).toEqual(denied);
      const changed = await changeOwnPassword(world)(one, { ...passwords, newPassword: NEW_PASSWORD });
      expect(changed).toEqual(denied);
    }
    expect(await works(secret)).toBe(true);
  });
});

describe('confirmPassword', () => {
  const confirm = (password: string, parts: { sessionId?: SessionId; email?: User['email'] } = {}) =>
    confirmPassword(world)(caller, { sessionId: here, secret, email: ada.email, password, ...parts });
  const givenAt = async () => unwrap(await listOwnSessions(world)(caller))[0]?.passwordGivenAt;

  test('records when the password was given', async () => {
    world.clock.advance(60_000);
    expect(await confirm('wrong')).toEqual(NOT_ACCEPTED);
    expect(await givenAt()).toBe(START);
    const { secret: renewed } = unwrap(await confirm(PASSWORD));
    expect(await givenAt()).toBe(addMilliseconds(START, 60_000));
    expect([await works(secret), await works(renewed)]).toEqual([false, true]);
  });

  test('of two at once with the same secret, one records it, and its secret works', async () => {
    const both = await Promise.all([confirm(PASSWORD), confirm(PASSWORD)]);
    expect(both.filter(({ ok: isOk }) => !isOk)).toEqual([NOT_FOUND]);
    const [renewed = expect.fail()] = both.flatMap((one) => (one.ok ? [one.value.secret] : []));
    expect([await works(secret), await works(renewed)]).toEqual([false, true]);
  });

  test('counts wrong passwords as sign-ins do', async () => {
    const limits = { ...DEFAULT_SIGN_IN_LIMITS, account: { failures: 2, pauseMs: 60_000 } };
    world = { ...world, throttle: createInMemorySignInThrottle({ clock: world.clock, limits }) };
    await confirm('wrong');
    await confirm('wrong');
    expect(await confirm(PASSWORD)).toMatchObject(err({ code: 'too_many_attempts' }));
  });

  test('accepts no other user’s password, and confirms no other user’s session', async () => {
    world.clock.advance(60_000);
    expect(await confirm(PASSWORD, { email: eve.email })).toEqual(NOT_ACCEPTED);
    const { session } = await signInAs(eve);
    expect(await confirm(PASSWORD, { sessionId: session.id })).toEqual(NOT_FOUND);
    expect(await givenAt()).toBe(START);
  });

  test('a password that is changed during the verification confirms nothing', async () => {
    world.clock.advance(60_000);
    const hash = unwrap(await world.passwords.hash(NEW_PASSWORD));
    const revocation = { at: START, by: { kind: 'user', id: ada.id }, reason: null } as const;
    const { passwords: inner, sessionSecrets } = world;
    const { hashOf } = sessionSecrets;
    world = {
      ...world,
      passwords: {
        ...inner,
        async verify(password, stored) {
          const verified = await inner.verify(password, stored);
          const renewal = { from: hashOf(secret), to: hashOf(world.sessionSecrets.createSecret()) };
          const guard = { verifiedHash: stored as NonNullable<typeof stored>, kept: here, renewal };
          await world.users.changePassword(ada.id, hash, guard, revocation, anEvent());
          return verified;
        },
      },
    };
    expect(await confirm(PASSWORD)).toEqual(NOT_ACCEPTED);
    expect(await givenAt()).toBe(START);
  });
});

describe('changeOwnPassword', () => {
  const change = (password: string, newPassword: string, parts: { email?: User['email'] } = {}) =>
    changeOwnPassword(world)(caller, {
      sessionId: here,
      secret,
      email: ada.email,
      password,
      newPassword,
      ...parts,
    });
  const storedHash = async () => (await world.users.findCredentials(emailKey(ada.email)))?.passwordHash;

  test('sets the new password, keeps this session and ends everything else that the old one opened', async () => {
    const other = await signInAs(ada);
    const { verifiedHash = expect.fail() } = { verifiedHash: await storedHash() };
    const signIn = await givenToken(world, ada, { kind: 'api' });
    const renewed = unwrap(await change(PASSWORD, NEW_PASSWORD));
    expect(await storedHash()).not.toBe(verifiedHash);
    const all = [secret, other.secret, renewed.secret];
    expect(await Promise.all(all.map(works))).toEqual([false, false, true]);
    expect((await world.tokens.findRecord(signIn.id))?.revocation).toBeNull();
    expect(await newestEvent()).toMatchObject({
      action: 'user.password_set',
      actor: { kind: 'user', id: ada.id },
      origin: '192.0.2.1',
      subject: { type: 'user', id: String(ada.id) },
      details: { email: ada.email },
    });
    const input = { email: ada.email, address: '192.0.2.1', userAgent: null };
    expect(await openSession(world)({ ...input, password: PASSWORD })).toEqual(NOT_ACCEPTED);
    expect((await openSession(world)({ ...input, password: NEW_PASSWORD })).ok).toBe(true);
  });

  test('needs the old password, the caller’s own, and the limits on sign-ins', async () => {
    const before = await storedHash();
    expect(await change('wrong', NEW_PASSWORD)).toEqual(NOT_ACCEPTED);
    expect(await change(PASSWORD, NEW_PASSWORD, { email: eve.email })).toEqual(NOT_ACCEPTED);
    const limits = { ...DEFAULT_SIGN_IN_LIMITS, account: { failures: 1, pauseMs: 60_000 } };
    world = { ...world, throttle: createInMemorySignInThrottle({ clock: world.clock, limits }) };
    await change('wrong', NEW_PASSWORD);
    expect(await change(PASSWORD, NEW_PASSWORD)).toMatchObject(err({ code: 'too_many_attempts' }));
    expect(await storedHash()).toBe(before);
  });

  test('a new password that the policy refuses costs no attempt', async () => {
    const admit = vi.spyOn(world.throttle, 'admit');
    expect(await change(PASSWORD, 'short')).toMatchObject(err({ code: 'invalid_input' }));
    expect(admit).not.toHaveBeenCalled();
  });

  test('a password that an operator sets meanwhile stays, and so does the end of this session', async () => {
    const inner = world.passwords;
    const operators = unwrap(await inner.hash('set by an operator'));
    const revocation = { at: START, by: { kind: 'operator', name: 'root' }, reason: null } as const;
    const passwords: World['passwords'] = {
      ...inner,
      async hash(password) {
        await world.users.setPassword(ada.id, operators, revocation, anEvent());
        return inner.hash(password);
      },
    };
    world = { ...world, passwords };
    expect(await change(PASSWORD, NEW_PASSWORD)).toMatchObject({ ok: false });
    expect(await storedHash()).toBe(operators);
    expect(await works(secret)).toBe(false);
  });

  test('an outdated hash of the old password is not renewed, because the new hash has replaced it', async () => {
    const passwords = createFakePasswordHasher({ cost: 9 });
    const hash = vi.spyOn(passwords, 'hash');
    const replace = vi.spyOn(world.users, 'replacePasswordHash');
    world = { ...world, passwords };
    expect((await change(PASSWORD, NEW_PASSWORD)).ok).toBe(true);
    expect(hash.mock.calls).toEqual([[NEW_PASSWORD]]);
    expect(replace).not.toHaveBeenCalled();
  });

  test('a session that was ended meanwhile changes nothing', async () => {
    const before = await storedHash();
    await endSession(world)(caller, here);
    expect(await change(PASSWORD, NEW_PASSWORD)).toEqual(NOT_FOUND);
    expect(await storedHash()).toBe(before);
  });
});

test('sweeping deletes sessions a day after the end of their lifetime, batch by batch', async () => {
  const sweep = sweepSessions(world);
  world.clock.advance(36 * 3_600_000);
  expect(await sweep()).toEqual({ swept: 0, more: false });
  world.clock.advance(1);
  expect(await sweep()).toEqual({ swept: 1, more: false });
  vi.spyOn(world.sessions, 'sweep').mockResolvedValue(1000);
  expect(await sweep()).toEqual({ swept: 1000, more: true });
});
