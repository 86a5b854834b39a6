import { beforeEach, describe, expect, test, vi } from 'vitest';
import {
  anEvent,
  aRevocation,
  createFakePasswordHasher,
  createInMemorySignInThrottle,
  createWorld,
  givenAccount,
  givenPerson,
  OPERATOR,
  PASSWORD,
  START,
  unwrap,
  type World,
} from '../../testing/index.ts';
import { err } from '../result.ts';
import { addMilliseconds } from '../time/instant.ts';
import { setTokenFloor } from '../token-policy/set-token-floor.ts';
import { setTokenPolicy } from '../token-policy/set-token-policy.ts';
import { authenticateToken } from '../tokens/authentication/authenticate-token.ts';
import { emailKey } from '../users/email.ts';
import type { User } from '../users/user.ts';
import { MAX_LIVE_SIGN_INS, type SignInPorts, signIn } from './sign-in.ts';

const REFUSED = err({ code: 'credentials_not_accepted' });
const LIFETIME = 30 * 86_400_000;

describe('signIn', () => {
  let world: World;
  let member: User;

  beforeEach(async () => {
    world = await createWorld();
    const { id: accountId } = await givenAccount(world);
    await givenPerson(world, { accountId, email: 'admin@acme.example' });
    member = await givenPerson(world, { accountId, email: 'Ada@acme.example', role: 'member' });
  });

  const attempt = (email: string, password = PASSWORD, ports: Partial<SignInPorts> = {}) =>
    signIn({ ...world, format: 'paseto', lifetimeMs: LIFETIME, ...ports })({
      email,
      password,
      address: '192.0.2.1',
    });

  test('the right password gets a token that expires, whatever the case of the email', async () => {
    const { secret, expiresAt } = unwrap(await attempt('aDA@ACME.example'));
    expect(expiresAt).toBe(addMilliseconds(START, LIFETIME));
    const caller = await authenticateToken(world)(secret, '192.0.2.1');
    expect(caller).toMatchObject({
      userId: member.id,
      token: { kind: 'sign-in', expiresAt: addMilliseconds(START, LIFETIME), scopes: ['*'] },
    });
    const [entry] = await world.audit.list({ limit: 1 });
    expect(entry?.event).toMatchObject({
      action: 'token.created',
      origin: '192.0.2.1',
      actor: { kind: 'user', id: member.id },
    });
  });

  test('the longest lifetime of the account and of the operator shortens the token, also if it is set meanwhile', async () => {
    const DAY = 86_400_000;
    const { accountId } = member;
    const setMax = (maxLifetimeMs: number | null) =>
      setTokenPolicy(world)(OPERATOR, { accountId, changes: { person: { maxLifetimeMs } } });
    await setMax(7 * DAY);
    const { secret, expiresAt } = unwrap(await attempt('ada@acme.example'));
    expect(expiresAt).toBe(addMilliseconds(START, 7 * DAY));
    const caller = await authenticateToken(world)(secret, '192.0.2.1');
    expect(caller).toMatchObject({ token: { expiresAt } });
    await setTokenFloor(world)(OPERATOR, { person: { maxLifetimeMs: 2 * DAY } });
    expect(unwrap(await attempt('ada@acme.example')).expiresAt).toBe(addMilliseconds(START, 2 * DAY));
    const { tokens } = world;
    let lifetime = 2 * DAY;
    // Stricter rules are set twice between the minting and the storing of a token.
    const insertSignIn: typeof tokens.insertSignIn = async (...input) => {
      if (lifetime > DAY / 2) lifetime /= 2;
      await setMax(lifetime);
      return tokens.insertSignIn(...input);
    };
    const late = await attempt('ada@acme.example', PASSWORD, { tokens: { ...tokens, insertSignIn } });
    expect(unwrap(late).expiresAt).toBe(addMilliseconds(START, DAY / 2));
  });

  test.each([`${PASSWORD} `, ` ${PASSWORD}`, PASSWORD.toUpperCase(), PASSWORD.slice(0, -1), ''])(
    'the password is verified as sent, but for its normal form: not %j',
    async (password) => {
      expect(await attempt('ada@acme.example', password)).toEqual(REFUSED);
    },
  );

  describe('a password of letters with accents', () => {
    const [NFC, NFD] = ['Möwen über Kiél', 'Möwen über Kiél'.normalize('NFD')];
    const accepts = async (password: string) => (await attempt('ada@acme.example', password)).ok;
    const stored = () => world.users.findCredentials('ada@acme.example');
    const set = async (password: string) => {
      const hash = unwrap(await world.passwords.hash(password));
      await world.users.setPassword(member.id, hash, aRevocation(), anEvent());
      return hash;
    };
    /** As a server of the version before stores it. */
    const setAsTyped = async (password: string) => {
      const hash = await set(password);
      const typed = unwrap(await createFakePasswordHasher({ cost: 1 }).hash(`${password} before`));
      await world.users.replacePasswordHash(member.id, { verified: hash, hash: typed, form: 'as-typed' });
      await world.users.replacePasswordHash(member.id, { verified: typed, hash, form: 'as-typed' });
      return hash;
    };

    test('is accepted in any normal form, and with a blank of any kind, but not without a blank at its end', async () => {
      await set(NFC);
      for (const typed of [NFC, NFD, NFC.replaceAll(' ', '\u00a0')]) expect(await accepts(typed)).toBe(true);
      for (const typed of [`${NFC} `, `${NFD}\u00a0`, NFC.toUpperCase()])
        expect(await accepts(typed)).toBe(false);
      await set(`${NFC} `);
      expect(await accepts(NFC)).toBe(false);
      expect(await accepts(`${NFD} `)).toBe(true);
    });

    test('is verified as typed where a version before stored it, control characters included', async () => {
      for (const password of [NFD, `${NFC}\r`, `${NFC}\u00a0`]) {
        const hash = await setAsTyped(password);
        expect(await accepts(`${NFC} x`)).toBe(false);
        expect(await accepts(password === NFD ? NFC : `${NFC} `)).toBe(false);
        expect(await accepts(password)).toBe(true);
        if (password !== `${NFC}\r`) {
          // Servers of the version before verify it as typed, too.
          expect(await stored()).toMatchObject({ passwordHash: hash, passwordForm: 'as-typed' });
        }
      }
    });

    test('is accepted in any normal form after one sign-in in the normal one', async () => {
      const hash = await setAsTyped(NFC);
      expect(await accepts(NFD)).toBe(false);
      expect(await accepts(NFC)).toBe(true);
      expect(await stored()).toMatchObject({ passwordHash: hash, passwordForm: 'normal' });
      expect(await accepts(NFD)).toBe(true);
    });

    test('keeps its form when its hash is renewed', async () => {
      await setAsTyped(NFD);
      const passwords = createFakePasswordHasher({ cost: 9 });
      expect((await attempt('ada@acme.example', NFD, { passwords })).ok).toBe(true);
      const { passwordHash, passwordForm } = (await stored()) ?? {};
      expect([passwordHash, passwordForm]).toEqual([expect.stringMatching(/^fake\$9\$/), 'as-typed']);
      expect(await accepts(NFD)).toBe(true);
    });

    test('is verified once, whatever its form is and whether or not the user exists', async () => {
      const verify = vi.spyOn(world.passwords, 'verify');
      await setAsTyped(NFD);
      await attempt('ada@acme.example', NFC);
      await set(NFC);
      await attempt('ada@acme.example', `${NFD} `);
      await attempt('nobody@acme.example', NFD);
      expect(verify.mock.calls.map(([password]) => password)).toEqual([NFC, `${NFC} `, NFC]);
    });
  });

  test('the throttle gets an empty email for text without an @, such as a password', async () => {
    const admit = vi.spyOn(world.throttle, 'admit');
    expect(await attempt('A heavy press, twice')).toEqual(REFUSED);
    expect(admit).toHaveBeenCalledExactlyOnceWith({ email: '', address: '192.0.2.1' });
  });

  test('an unknown email, a wrong password, a disabled user and a suspended account get the same error, after the same work', async () => {
    const verify = vi.spyOn(world.passwords, 'verify');
    const insert = vi.spyOn(world.tokens, 'insert');
    expect(await attempt('nobody@acme.example')).toEqual(REFUSED);
    expect(await attempt('ada@acme.example', 'wrong')).toEqual(REFUSED);
    await world.users.disable(member.id, aRevocation(), anEvent());
    expect(await attempt('ada@acme.example')).toEqual(REFUSED);
    await world.accounts.suspend(member.accountId, START, anEvent());
    expect(await attempt('admin@acme.example')).toEqual(REFUSED);
    expect(verify).toHaveBeenCalledTimes(4);
    expect(insert).not.toHaveBeenCalled();
  });

  test('changes during the verification of the password take effect', async () => {
    const ports = (change: () => Promise<unknown>): Partial<SignInPorts> => ({
      passwords: {
        ...world.passwords,
        async verify(password, hash) {
          const verified = await world.passwords.verify(password, hash);
          await change();
          return verified;
        },
      },
    });
    const changed = unwrap(await world.passwords.hash('another password'));
    const setPassword = () => world.users.setPassword(member.id, changed, aRevocation(), anEvent());
    expect(await attempt('ada@acme.example', PASSWORD, ports(setPassword))).toEqual(REFUSED);
    const disable = () => world.users.disable(member.id, aRevocation(), anEvent());
    expect(await attempt('ada@acme.example', 'another password', ports(disable))).toEqual(REFUSED);
  });

  test('a sign-in succeeds if a concurrent one stores a stronger hash of the same password', async () => {
    const stronger = unwrap(await createFakePasswordHasher({ cost: 9 }).hash(PASSWORD));
    const verify: SignInPorts['passwords']['verify'] = async (password, hash) => {
      const verified = await world.passwords.verify(password, hash);
      if (hash)
        await world.users.replacePasswordHash(member.id, { verified: hash, hash: stronger, form: 'normal' });
      return verified;
    };
    const passwords = { ...world.passwords, verify };
    expect((await attempt('ada@acme.example', PASSWORD, { passwords })).ok).toBe(true);
  });

  test('a user has a bounded number of sign-ins: one more ends the oldest', async () => {
    const tokens: string[] = [];
    for (let count = 0; count <= MAX_LIVE_SIGN_INS; count += 1) {
      tokens.push(unwrap(await attempt('ada@acme.example')).secret);
    }
    const [oldest, second] = await Promise.all(
      tokens.slice(0, 2).map((token) => authenticateToken(world)(token, '192.0.2.1')),
    );
    expect(oldest).toMatchObject({ kind: 'refused', reason: 'revoked' });
    expect(second).toMatchObject({ kind: 'user', userId: member.id });
    const entries = await world.audit.list({ limit: 3 });
    const revoked = entries.filter(({ event }) => event.action === 'token.revoked');
    expect(revoked).toMatchObject([
      { event: { origin: '192.0.2.1', actor: { kind: 'user', id: member.id } } },
    ]);
  });

  test('attempts are counted before hashing, and a success clears the account’s failures', async () => {
    const limits = {
      address: { attempts: 1000, windowMs: 60_000 },
      account: { failures: 3, pauseMs: 60_000 },
      knownAddress: { attempts: 1, windowMs: 60_000, memoryMs: 60_000 },
    };
    const throttle = createInMemorySignInThrottle({ clock: world.clock, limits });
    const verify = vi.spyOn(world.passwords, 'verify');
    const guess = () => attempt('ada@acme.example', 'wrong', { throttle });
    await guess();
    await guess();
    expect((await attempt('ada@acme.example', PASSWORD, { throttle })).ok).toBe(true);
    for (let failure = 0; failure < 3; failure += 1) expect(await guess()).toEqual(REFUSED);
    verify.mockClear();
    expect(await guess()).toEqual(
      err({ code: 'too_many_attempts', limit: 'account', retryAfterSeconds: 60 }),
    );
    expect(verify).not.toHaveBeenCalled();
  });

  test('a hash with weaker parameters is replaced after its verification', async () => {
    const stronger = createFakePasswordHasher({ cost: 9 });
    expect((await attempt('ada@acme.example', PASSWORD, { passwords: stronger })).ok).toBe(true);
    const credentials = await world.users.findCredentials(emailKey('ada@acme.example'));
    expect(credentials?.passwordHash).toMatch(/^fake\$9\$/);
    expect((await attempt('ada@acme.example', PASSWORD, { passwords: stronger })).ok).toBe(true);
  });

  test('beyond the hasher’s limit the attempt is refused as busy', async () => {
    const passwords = createFakePasswordHasher({ concurrency: 0 });
    expect(await attempt('ada@acme.example', PASSWORD, { passwords })).toEqual(err({ code: 'hashing_busy' }));
  });
});
