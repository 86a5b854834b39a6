import { beforeEach, describe, expect, test, vi } from 'vitest';
import {
  anEvent,
  aRevocation,
  createWorldWithAdmins,
  givenUser,
  PASSWORD,
  START,
  unwrap,
  type World,
} from '../../testing/index.ts';
import { err } from '../result.ts';
import { addMilliseconds } from '../time/instant.ts';
import type { User } from '../users/user.ts';
import { findSession } from './find-session.ts';
import { openSession } from './open-session.ts';
import { isPasswordFresh } from './session.ts';
import type { SessionSecret } from './session-secrets.ts';

const MINUTE = 60_000;
const refused = (reason: string) => err({ code: 'session_not_accepted', reason });

describe('findSession', () => {
  let world: World;
  let ada: User;
  let secret: SessionSecret;
  beforeEach(async () => {
    ({ world, ada } = await createWorldWithAdmins());
    const input = { email: ada.email, password: PASSWORD, address: '192.0.2.1', userAgent: null };
    ({ secret } = unwrap(await openSession(world)(input)));
  });
  const find = (options?: { extend: boolean }, text: string = secret) =>
    findSession(world)(text, '192.0.2.2', options);
  const at = (minutes: number) => world.clock.set(addMilliseconds(START, minutes * MINUTE));

  test('a secret that is not stored is refused; a malformed one is not even looked up', async () => {
    const look = vi.spyOn(world.sessions, 'find');
    expect(await find({ extend: true }, 'A'.repeat(43))).toEqual(refused('unknown'));
    expect(look).toHaveBeenCalledTimes(1);
    const { id } = unwrap(await find()).session;
    look.mockClear();
    const malformed = ['', secret.slice(1), `${secret}A`, `${secret}\n`, ` ${secret}`, `${secret}=`, id];
    for (const text of malformed) expect(await find({ extend: true }, text)).toEqual(refused('unknown'));
    expect(look).not.toHaveBeenCalled();
  });

  test('reads the session once, with its user and account', async () => {
    const reads = [
      vi.spyOn(world.sessions, 'find'),
      vi.spyOn(world.users, 'findByEmail'),
      vi.spyOn(world.users, 'findCredentials'),
      vi.spyOn(world.accounts, 'findById'),
    ];
    unwrap(await find());
    expect(reads.map((read) => read.mock.calls.length)).toEqual([1, 0, 0, 0]);
  });

  test('reads the session, and nothing else, on behalf of the client', async () => {
    const ofClient = vi.spyOn(world.onBehalf, 'ofClient').mockImplementation(() => undefined);
    expect(await find()).toEqual(refused('unknown'));
    expect(ofClient).toHaveBeenCalledExactlyOnceWith('192.0.2.2', expect.any(Function));
    ofClient.mockRestore();
    expect((await find()).ok).toBe(true);
  });

  test('ends 30 minutes after the last request', async () => {
    at(29);
    expect((await find()).ok).toBe(true);
    at(58);
    expect((await find()).ok).toBe(true);
    at(88);
    expect(await find()).toEqual(refused('idle'));
  });

  test('ends after 12 hours, however much it is used', async () => {
    for (let minutes = 20; minutes < 720; minutes += 20) {
      at(minutes);
      expect((await find()).ok).toBe(true);
    }
    at(720);
    expect(await find()).toEqual(refused('too_old'));
  });

  test('ends as the settings say', async () => {
    const find = findSession({ ...world, sessionTimes: { idleMs: 1000, lifetimeMs: 1500 } });
    world.clock.advance(999);
    expect((await find(secret, '192.0.2.1')).ok).toBe(true);
    world.clock.advance(1);
    expect(await find(secret, '192.0.2.1')).toEqual(refused('idle'));
    world.clock.advance(500);
    expect(await find(secret, '192.0.2.1')).toEqual(refused('too_old'));
  });

  test('records requests once a minute at most', async () => {
    const touch = vi.spyOn(world.sessions, 'touch');
    world.clock.advance(MINUTE - 1);
    await find();
    expect(touch).not.toHaveBeenCalled();
    world.clock.advance(1);
    const { session } = unwrap(await find());
    await find();
    expect(touch).toHaveBeenCalledExactlyOnceWith(session.id, addMilliseconds(START, MINUTE));
  });

  test('a look without use does not extend it', async () => {
    at(29);
    expect((await find({ extend: false })).ok).toBe(true);
    at(30);
    expect(await find({ extend: false })).toEqual(refused('idle'));
  });

  test('a disabled user and a suspended account are refused at the next request', async () => {
    await world.accounts.suspend(ada.accountId, START, anEvent());
    expect(await find()).toEqual(refused('user_not_active'));
    await world.accounts.resume(ada.accountId, anEvent());
    expect((await find()).ok).toBe(true);
    await givenUser(world, ada.accountId);
    unwrap(await world.users.disable(ada.id, aRevocation(), anEvent()));
    expect((await find()).ok).toBe(false);
    await world.users.enable(ada.id, anEvent());
    expect(await find()).toEqual(refused('unknown'));
  });

  test('a disabled user is refused by the read itself, even if a session remains', async () => {
    const record = await world.sessions.find(world.sessionSecrets.hashOf(secret));
    if (!record) return expect.fail('no session');
    const disabled = { ...record, user: { ...record.user, disabledAt: START } };
    vi.spyOn(world.sessions, 'find').mockResolvedValue(disabled);
    expect(await find()).toEqual(refused('user_not_active'));
  });

  test('a demoted admin is a member at the next request', async () => {
    await givenUser(world, ada.accountId);
    unwrap(await world.users.setRole(ada.id, 'member', () => anEvent()));
    expect(unwrap(await find()).caller.role).toBe('member');
  });

  test('a password is fresh for ten minutes', async () => {
    const { session } = unwrap(await find());
    expect(isPasswordFresh(session, addMilliseconds(START, 10 * MINUTE))).toBe(true);
    expect(isPasswordFresh(session, addMilliseconds(START, 10 * MINUTE + 1))).toBe(false);
  });
});
