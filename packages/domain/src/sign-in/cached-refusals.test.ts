import { beforeEach, describe, expect, test, vi } from 'vitest';
import { signInThrottleContract } from '../../testing/contracts/index.ts';
import { createFixedClock, createInMemorySignInThrottle, START } from '../../testing/index.ts';
import { ok } from '../result.ts';
import { emailKey } from '../users/email.ts';
import { cacheRefusals, type RefusalCachingThrottle } from './cached-refusals.ts';
import type { SignInLimits, SignInThrottle } from './sign-in-throttle.ts';

const LIMITS: SignInLimits = {
  address: { attempts: 3, windowMs: 900_000 },
  account: { failures: 2, pauseMs: 60_000 },
  knownAddress: { attempts: 1, windowMs: 60_000, memoryMs: 600_000 },
};

describe('a throttle that caches its refusals', () => {
  const clock = createFixedClock(START);
  const monotonicClock = { elapsedMs: () => clock.now() - START };
  const refusal = (limit: 'address' | 'account', retryAfterSeconds: number) => ({
    code: 'too_many_attempts',
    limit,
    retryAfterSeconds,
  });
  const at = (address: string, email = 'ada@acme.example') => ({ email: emailKey(email), address });

  /** The throttle that all nodes share. */
  let inner: SignInThrottle;
  let throttle: RefusalCachingThrottle;
  const openNode = () => cacheRefusals(inner, { monotonicClock });
  beforeEach(() => {
    inner = createInMemorySignInThrottle({ clock, limits: LIMITS });
    throttle = openNode();
  });

  /** Makes attempts from an address until its own limit refuses it. */
  const exhaust = async (address: string) => {
    for (let attempt = 0; attempt <= 3; attempt += 1) await throttle.admit(at(address, `user-${attempt}`));
  };
  /** Makes failing attempts on an account from other addresses until the account's limit refuses one. */
  const attack = async (email: string, from: string) => {
    for (const address of ['203.0.113.1', '203.0.113.2', from]) await throttle.admit(at(address, email));
  };

  test('has no entry for an attempt that was not refused', async () => {
    expect(throttle.cachedRefusal(at('192.0.2.1'))).toBeUndefined();
    await throttle.admit(at('192.0.2.1'));
    expect(throttle.cachedRefusal(at('192.0.2.1'))).toBeUndefined();
  });

  test('knows a refused network, whatever account it tries and however its address is spelled, and no other', async () => {
    await exhaust('192.0.2.1');
    clock.advance(500);
    expect(throttle.cachedRefusal(at('192.0.2.1', 'grace'))).toEqual(refusal('address', 900));
    expect(throttle.cachedRefusal(at('::ffff:192.0.2.1'))).toEqual(refusal('address', 900));
    expect(throttle.cachedRefusal(at('192.0.2.2'))).toBeUndefined();
  });

  test('lets one attempt per second ask, and refuses the others until it has the result', async () => {
    await exhaust('192.0.2.1');
    const ask = vi.spyOn(inner, 'admit');
    for (let second = 1; second <= 3; second += 1) {
      clock.advance(1000);
      const known = Array.from({ length: 50 }, () => throttle.cachedRefusal(at('192.0.2.1')));
      expect(known.map((one) => one?.retryAfterSeconds)).toEqual([
        undefined,
        ...Array.from({ length: 49 }, () => 900 - second),
      ]);
      expect((await throttle.admit(at('192.0.2.1'))).ok).toBe(false);
    }
    expect(ask).toHaveBeenCalledTimes(3);
  });

  test('repeats the throttle’s retry time, minus the time that has passed', async () => {
    await exhaust('192.0.2.1');
    for (let second = 1; second < 900; second += 1) {
      clock.advance(1000);
      throttle.cachedRefusal(at('192.0.2.1'));
      expect(throttle.cachedRefusal(at('192.0.2.1'))).toEqual(refusal('address', 900 - second));
    }
    clock.advance(1000);
    expect(throttle.cachedRefusal(at('192.0.2.1'))).toBeUndefined();
    expect(throttle.cachedRefusal(at('192.0.2.1'))).toBeUndefined();
    expect((await throttle.admit(at('192.0.2.1'))).ok).toBe(true);
  });

  test('a count that is returned takes effect here at once, and on other nodes within a second', async () => {
    await exhaust('192.0.2.1');
    const other = openNode();
    expect((await other.admit(at('192.0.2.1'))).ok).toBe(false);
    await throttle.succeeded(at('192.0.2.1', 'user-0'));
    expect(throttle.cachedRefusal(at('192.0.2.1'))).toBeUndefined();
    expect(other.cachedRefusal(at('192.0.2.1'))).toEqual(refusal('address', 900));
    clock.advance(1000);
    expect(other.cachedRefusal(at('192.0.2.1'))).toBeUndefined();
    expect((await other.admit(at('192.0.2.1'))).ok).toBe(true);
    expect(other.cachedRefusal(at('192.0.2.1'))).toBeUndefined();
  });

  test('caches a refusal by an account’s limit for one network only', async () => {
    await attack('ada@acme.example', '192.0.2.1');
    expect(throttle.cachedRefusal(at('192.0.2.1'))).toEqual(refusal('account', 60));
    expect(throttle.cachedRefusal(at('192.0.2.1', 'grace'))).toBeUndefined();
    expect(throttle.cachedRefusal(at('192.0.2.2'))).toBeUndefined();
  });

  test('never refuses an address that is known to the account because the account refused others', async () => {
    const home = at('192.0.2.7');
    await throttle.admit(home);
    await throttle.succeeded(home);
    await attack('ada@acme.example', '192.0.2.1');
    expect(throttle.cachedRefusal(at('192.0.2.1'))).toEqual(refusal('account', 60));
    expect(throttle.cachedRefusal(home)).toBeUndefined();
    expect(await throttle.admit(home)).toEqual(ok(undefined));
  });

  test('a success that clears an account takes effect within a second for networks that it had refused', async () => {
    const home = at('192.0.2.7');
    await throttle.admit(home);
    await throttle.succeeded(home);
    await attack('ada@acme.example', '192.0.2.1');
    await openNode().succeeded(home);
    clock.advance(1000);
    expect(throttle.cachedRefusal(at('192.0.2.1'))).toBeUndefined();
    expect(await throttle.admit(at('192.0.2.1'))).toEqual(ok(undefined));
  });

  test('an account’s refusal shows that the address has room', async () => {
    await exhaust('192.0.2.1');
    await inner.succeeded(at('192.0.2.1', 'user-0'));
    await attack('grace', '203.0.113.3');
    expect(await throttle.admit(at('192.0.2.1', 'grace'))).toMatchObject({ error: { limit: 'account' } });
    expect(throttle.cachedRefusal(at('192.0.2.1'))).toBeUndefined();
  });

  test('asks for a refused network once its limit should be lifted, and removes it when it is admitted', async () => {
    await exhaust('192.0.2.1');
    clock.advance(1000);
    await inner.succeeded(at('192.0.2.1', 'user-0'));
    expect(throttle.cachedRefusal(at('192.0.2.1'))).toBeUndefined();
    expect(throttle.cachedRefusal(at('192.0.2.1'))).toBeDefined();
    expect(await throttle.admit(at('192.0.2.1'))).toEqual(ok(undefined));
    expect(throttle.cachedRefusal(at('192.0.2.1'))).toBeUndefined();
  });

  test('caches at most the newest 10,000 refusals', async () => {
    const refuseAll: SignInThrottle = {
      ...inner,
      admit: async () => ({
        ok: false,
        error: { code: 'too_many_attempts', limit: 'address', retryAfterSeconds: 60 },
      }),
    };
    const network = (i: number) => `10.0.${i >> 8}.${i & 255}`;
    const full = cacheRefusals(refuseAll, { monotonicClock });
    for (let i = 0; i < 10_000; i += 1) await full.admit(at(network(i)));
    // Refused again, it is one of the newest.
    await full.admit(at(network(0)));
    await full.admit(at(network(10_000)));
    const isKnown = (i: number) => full.cachedRefusal(at(network(i))) !== undefined;
    expect([0, 1, 2, 10_000].map(isKnown)).toEqual([true, false, true, true]);
  });
});

signInThrottleContract('A throttle that remembers its refusals', async ({ clock, limits }) => {
  const monotonicClock = { elapsedMs: () => clock.now() - START };
  const throttle = cacheRefusals(createInMemorySignInThrottle({ clock, limits }), {
    monotonicClock,
  });
  return { throttle, close: async () => undefined };
});
