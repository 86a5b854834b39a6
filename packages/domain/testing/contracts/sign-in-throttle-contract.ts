import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { err, ok } from '../../src/index.ts';
import type { SignInLimits, SignInThrottle } from '../../src/sign-in/index.ts';
import type { Clock } from '../../src/time/index.ts';
import { type EmailKey, emailKey } from '../../src/users/index.ts';
import { createFixedClock } from '../fixed-clock.ts';
import { START } from '../fixtures.ts';

const LIMITS: SignInLimits = {
  address: { attempts: 10, windowMs: 60_000 },
  account: { failures: 5, pauseMs: 30_000 },
  knownAddress: { attempts: 3, windowMs: 45_000, memoryMs: 600_000 },
};

type OpenSignInThrottle = (ports: {
  readonly clock: Clock;
  readonly limits: SignInLimits;
}) => Promise<{ readonly throttle: SignInThrottle; close(): Promise<void> }>;

export function signInThrottleContract(name: string, open: OpenSignInThrottle): void {
  describe(`${name} keeps the contract of SignInThrottle`, () => {
    const clock = createFixedClock(START);
    let opened: Awaited<ReturnType<OpenSignInThrottle>>;
    beforeAll(async () => {
      opened = await open({ clock, limits: LIMITS });
    });
    afterAll(() => opened.close());

    let serial = 0;
    const anEmail = (): EmailKey => {
      serial += 1;
      return emailKey(`user-${serial}@acme.example`);
    };
    const anAddress = () => {
      serial += 1;
      return `192.0.2.${serial}`;
    };
    const admit = (email: EmailKey, address: string) => opened.throttle.admit({ email, address });
    const refusal = (limit: 'address' | 'account', retryAfterSeconds: number) =>
      err({ code: 'too_many_attempts', limit, retryAfterSeconds });

    test('an address gets a limited number of attempts in a window, whatever emails it tries', async () => {
      const address = anAddress();
      for (let attempt = 0; attempt < 10; attempt += 1)
        expect(await admit(anEmail(), address)).toEqual(ok(undefined));
      expect(await admit(anEmail(), address)).toEqual(refusal('address', 60));
      expect(await admit(anEmail(), anAddress())).toEqual(ok(undefined));
      clock.advance(60_000);
      expect(await admit(anEmail(), address)).toEqual(ok(undefined));
    });

    test('an account gets a limited number of failures from all addresses, then one attempt per pause', async () => {
      const email = anEmail();
      for (let attempt = 0; attempt < 5; attempt += 1)
        expect((await admit(email, anAddress())).ok).toBe(true);
      expect(await admit(email, anAddress())).toEqual(refusal('account', 30));
      clock.advance(20_000);
      expect(await admit(email, anAddress())).toEqual(refusal('account', 10));
      clock.advance(10_000);
      expect((await admit(email, anAddress())).ok).toBe(true);
      expect(await admit(email, anAddress())).toEqual(refusal('account', 30));
    });

    test('concurrent attempts get no further than sequential ones', async () => {
      const email = anEmail();
      const outcomes = await Promise.all(Array.from({ length: 40 }, () => admit(email, anAddress())));
      expect(outcomes.filter((outcome) => outcome.ok)).toHaveLength(5);
      const address = anAddress();
      const fromOne = await Promise.all(Array.from({ length: 40 }, () => admit(anEmail(), address)));
      expect(fromOne.filter((outcome) => outcome.ok)).toHaveLength(10);
    });

    test('a success clears the account and returns only its own count to the address', async () => {
      const [email, address] = [anEmail(), anAddress()];
      for (let attempt = 0; attempt < 5; attempt += 1) await admit(email, address);
      await opened.throttle.succeeded({ email, address });
      for (let attempt = 0; attempt < 5; attempt += 1) expect((await admit(email, address)).ok).toBe(true);
      // 10 attempts, one given back: one more is left to the address.
      expect((await admit(anEmail(), address)).ok).toBe(true);
      expect((await admit(anEmail(), address)).ok).toBe(false);
    });

    describe('when an account is under attack', () => {
      const givenVictim = async () => {
        const home = { email: anEmail(), address: anAddress() };
        await admit(home.email, home.address);
        await opened.throttle.succeeded(home);
        return home;
      };
      const attack = async (email: EmailKey) => {
        while ((await admit(email, anAddress())).ok);
      };

      test('an address that signed in to it before has its own attempts in each window', async () => {
        const { email, address } = await givenVictim();
        await attack(email);
        for (let window = 0; window < 2; window += 1) {
          for (let attempt = 0; attempt < 3; attempt += 1)
            expect(await admit(email, address)).toEqual(ok(undefined));
          clock.advance(10_000);
          await attack(email);
          expect((await admit(email, address)).ok).toBe(false);
          clock.advance(34_999);
          await attack(email);
          expect((await admit(email, address)).ok).toBe(false);
          clock.advance(1);
          await attack(email);
        }
      });

      test('another address, or another account from the same address, has none', async () => {
        const { email, address } = await givenVictim();
        const other = anEmail();
        await attack(email);
        await attack(other);
        expect((await admit(email, anAddress())).ok).toBe(false);
        expect((await admit(other, address)).ok).toBe(false);
      });

      test('its attempts do not add to a limit that is reached, and are counted below the limit', async () => {
        const { email, address } = await givenVictim();
        for (let attempt = 0; attempt < 3; attempt += 1) await admit(email, address);
        for (let attempt = 0; attempt < 2; attempt += 1)
          expect((await admit(email, anAddress())).ok).toBe(true);
        expect(await admit(email, anAddress())).toEqual(refusal('account', 30));
        clock.advance(45_000);
        await attack(email);
        clock.advance(20_000);
        expect((await admit(email, address)).ok).toBe(true);
        expect(await admit(email, anAddress())).toEqual(refusal('account', 10));
      });

      test('a success returns its attempts to the address', async () => {
        const { email, address } = await givenVictim();
        await attack(email);
        for (let attempt = 0; attempt < 3; attempt += 1) await admit(email, address);
        await opened.throttle.succeeded({ email, address });
        await attack(email);
        for (let attempt = 0; attempt < 3; attempt += 1) expect((await admit(email, address)).ok).toBe(true);
      });

      test('an address is known for a limited time from its last success', async () => {
        const { email, address } = await givenVictim();
        clock.advance(599_999);
        await attack(email);
        expect((await admit(email, address)).ok).toBe(true);
        await opened.throttle.succeeded({ email, address });
        clock.advance(599_999);
        await attack(email);
        expect((await admit(email, address)).ok).toBe(true);
        clock.advance(1);
        await attack(email);
        expect((await admit(email, address)).ok).toBe(false);
      });

      test('concurrent attempts of its own are no more than sequential ones', async () => {
        const { email, address } = await givenVictim();
        await attack(email);
        const outcomes = await Promise.all(Array.from({ length: 9 }, () => admit(email, address)));
        expect(outcomes.filter((outcome) => outcome.ok)).toHaveLength(3);
      });
    });

    test('a released attempt counts neither for its address nor for its email, and makes no address known', async () => {
      const [email, address] = [anEmail(), anAddress()];
      for (let attempt = 0; attempt < 100; attempt += 1) {
        expect((await admit(email, address)).ok).toBe(true);
        await opened.throttle.release({ email, address });
      }
      for (let attempt = 0; attempt < 50 && (await admit(email, anAddress())).ok; attempt += 1);
      expect((await admit(email, address)).ok).toBe(false);
    });

    test('a refused attempt is not counted', async () => {
      const [email, address] = [anEmail(), anAddress()];
      for (let attempt = 0; attempt < 5; attempt += 1) await admit(email, anAddress());
      for (let attempt = 0; attempt < 20; attempt += 1) expect((await admit(email, address)).ok).toBe(false);
      expect((await admit(anEmail(), address)).ok).toBe(true);
    });
  });
}
