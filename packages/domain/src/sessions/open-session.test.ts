import { beforeEach, describe, expect, test, vi } from 'vitest';
import {
  anEvent,
  aRevocation,
  createFakePasswordHasher,
  createInMemorySignInThrottle,
  createWorld,
  givenAccount,
  givenPerson,
  PASSWORD,
  START,
  unwrap,
  type World,
} from '../../testing/index.ts';
import { err } from '../result.ts';
import { DEFAULT_SIGN_IN_LIMITS } from '../sign-in/sign-in-throttle.ts';
import { emailKey } from '../users/email.ts';
import type { User } from '../users/user.ts';
import { findSession } from './find-session.ts';
import { type OpenSessionPorts, openSession } from './open-session.ts';
import { listOwnSessions } from './own-sessions.ts';
import { MAX_LIVE_SESSIONS } from './session.ts';

const REFUSED = err({ code: 'credentials_not_accepted' });

describe('openSession', () => {
  let world: World;
  let member: User;
  beforeEach(async () => {
    world = await createWorld();
    const { id: accountId } = await givenAccount(world);
    await givenPerson(world, { accountId, email: 'admin@acme.example' });
    member = await givenPerson(world, { accountId, email: 'Ada@acme.example', role: 'member' });
  });

  const attempt = (
    email: string,
    {
      password = PASSWORD,
      userAgent = 'Firefox',
      ...ports
    }: Partial<OpenSessionPorts> & { readonly password?: string; readonly userAgent?: string | null } = {},
  ) => openSession({ ...world, ...ports })({ email, password, address: '192.0.2.1', userAgent });

  test('the right password gets a session and its secret, whatever the case of the email', async () => {
    const { secret, session } = unwrap(await attempt('aDA@ACME.example'));
    expect(session).toEqual({
      id: session.id,
      userId: member.id,
      createdAt: START,
      lastSeenAt: START,
      passwordGivenAt: START,
      origin: '192.0.2.1',
      userAgent: 'Firefox',
      provider: null,
    });
    const found = unwrap(await findSession(world)(secret, '192.0.2.2'));
    expect(found).toMatchObject({ session, user: member, account: { id: member.accountId } });
    expect(found.caller).toEqual({
      kind: 'user',
      userId: member.id,
      accountId: member.accountId,
      role: 'member',
      scopes: 'in person',
      origin: '192.0.2.2',
    });
  });

  test('is in the audit log, without its secret, the secret’s hash or the password', async () => {
    const { secret, session } = unwrap(await attempt('ada@acme.example'));
    const [entry] = await world.audit.list({ limit: 1 });
    expect(entry?.event).toEqual({
      at: START,
      actor: { kind: 'user', id: member.id },
      origin: '192.0.2.1',
      action: 'session.created',
      subject: { type: 'session', id: session.id },
      accountId: member.accountId,
      details: {},
    });
    const log = JSON.stringify(await world.audit.list({ limit: 100 }));
    for (const hidden of [secret, world.sessionSecrets.hashOf(secret), PASSWORD]) {
      expect(log).not.toContain(hidden);
    }
  });

  test('each sign-in has a new secret and a new id', async () => {
    const [one, other] = [
      unwrap(await attempt('ada@acme.example')),
      unwrap(await attempt('ada@acme.example')),
    ];
    expect(one.secret).not.toBe(other.secret);
    expect(one.session.id).not.toBe(other.session.id);
  });

  test.each([
    ['is cut', 'x'.repeat(10_000), 'x'.repeat(300)],
    ['is cut within a character', `${'x'.repeat(299)}😀`, `${'x'.repeat(299)}\ufffd`],
    ['loses what cannot be stored', 'a\u0000b\ud800', 'a\ufffdb\ufffd'],
    ['may be empty', '', null],
    ['may be missing', null, null],
  ])('a browser’s name %s', async (_, userAgent, stored) => {
    const { session } = unwrap(await attempt('ada@acme.example', { userAgent }));
    expect(session.userAgent).toBe(stored);
  });

  test('an unknown email, a wrong password, a disabled user and a suspended account get the same error, after the same work', async () => {
    const verify = vi.spyOn(world.passwords, 'verify');
    const insert = vi.spyOn(world.sessions, 'insert');
    expect(await attempt('unknown@acme.example')).toEqual(REFUSED);
    expect(await attempt('ada@acme.example', { password: 'wrong' })).toEqual(REFUSED);
    await world.users.disable(member.id, aRevocation(), anEvent());
    expect(await attempt('ada@acme.example')).toEqual(REFUSED);
    await world.accounts.suspend(member.accountId, START, anEvent());
    expect(await attempt('admin@acme.example')).toEqual(REFUSED);
    expect(verify).toHaveBeenCalledTimes(4);
    expect(insert).not.toHaveBeenCalled();
  });

  test('changes during the verification of the password take effect', async () => {
    const changing = (change: () => Promise<unknown>): OpenSessionPorts['passwords'] => ({
      ...world.passwords,
      async verify(password, hash) {
        const verified = await world.passwords.verify(password, hash);
        await change();
        return verified;
      },
    });
    const changed = unwrap(await world.passwords.hash('another password'));
    const setPassword = () => world.users.setPassword(member.id, changed, aRevocation(), anEvent());
    expect(await attempt('ada@acme.example', { passwords: changing(setPassword) })).toEqual(REFUSED);
    const disable = () => world.users.disable(member.id, aRevocation(), anEvent());
    expect(
      await attempt('ada@acme.example', { password: 'another password', passwords: changing(disable) }),
    ).toEqual(REFUSED);
  });

  test('a sign-in succeeds if a concurrent one stores a stronger hash of the same password', async () => {
    const stronger = unwrap(await createFakePasswordHasher({ cost: 9 }).hash(PASSWORD));
    const verify: OpenSessionPorts['passwords']['verify'] = async (password, hash) => {
      const verified = await world.passwords.verify(password, hash);
      if (hash)
        await world.users.replacePasswordHash(member.id, { verified: hash, hash: stronger, form: 'normal' });
      return verified;
    };
    expect((await attempt('ada@acme.example', { passwords: { ...world.passwords, verify } })).ok).toBe(true);
  });

  test('a hash with weaker parameters is replaced after its verification', async () => {
    const stronger = createFakePasswordHasher({ cost: 9 });
    expect((await attempt('ada@acme.example', { passwords: stronger })).ok).toBe(true);
    const credentials = await world.users.findCredentials(emailKey('ada@acme.example'));
    expect(credentials?.passwordHash).toMatch(/^fake\$9\$/);
  });

  test('guesses count as those of sign-ins for tokens do, before anything is hashed', async () => {
    const limits = { ...DEFAULT_SIGN_IN_LIMITS, account: { failures: 2, pauseMs: 60_000 } };
    const throttle = createInMemorySignInThrottle({ clock: world.clock, limits });
    const verify = vi.spyOn(world.passwords, 'verify');
    for (let guess = 0; guess < 2; guess += 1) {
      expect(await attempt('ada@acme.example', { password: 'wrong', throttle })).toEqual(REFUSED);
    }
    expect(await attempt('ada@acme.example', { throttle })).toEqual(
      err({ code: 'too_many_attempts', limit: 'account', retryAfterSeconds: 60 }),
    );
    expect(verify).toHaveBeenCalledTimes(2);
  });

  test('the queue’s refusal does no work', async () => {
    const busy = err({ code: 'hashing_busy' } as const);
    const admit = vi.spyOn(world.throttle, 'admit');
    expect(await attempt('ada@acme.example', { signInGate: { enter: async () => busy } })).toEqual(busy);
    expect(admit).not.toHaveBeenCalled();
  });

  test('a user has a bounded number of sessions: one more ends the oldest, and says why', async () => {
    const opened = [];
    for (let count = 0; count <= MAX_LIVE_SESSIONS; count += 1) {
      opened.push(unwrap(await attempt('ada@acme.example')));
    }
    const [oldest, second] = opened;
    const find = findSession(world);
    expect(await find(oldest?.secret ?? '', '192.0.2.1')).toEqual(
      err({ code: 'session_not_accepted', reason: 'unknown' }),
    );
    const { caller } = unwrap(await find(second?.secret ?? '', '192.0.2.1'));
    expect(unwrap(await listOwnSessions(world)(caller))).toHaveLength(MAX_LIVE_SESSIONS);
    const [entry] = await world.audit.list({ actions: ['session.ended'], limit: 3 });
    expect(entry?.event).toMatchObject({
      actor: { kind: 'user', id: member.id },
      subject: { id: oldest?.session.id },
      details: { reason: 'the user has 100 newer sessions' },
    });
  });
});
