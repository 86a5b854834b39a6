import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  type Clock,
  type EmailKey,
  emailKey,
  err,
  ok,
  type SignInLimits,
  type SignInThrottle,
} from '../../src/index.ts';
import { createFixedClock } from '../fixed-clock.ts';
import { START } from '../fixtures.ts';

const LIMITS: SignInLimits = {
  address: { attempts: 10, windowMs: 60_000 },
  account: { failures: 5, pauseMs: 30_000 },
};

export type OpenSignInThrottle = (ports: {
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
    const refusal = (retryAfterSeconds: number) => err({ code: 'too_many_attempts', retryAfterSeconds });

    test('an address gets so many attempts in a window, whatever emails it tries', async () => {
      const address = anAddress();
      for (let attempt = 0; attempt < 10; attempt += 1)
        expect(await admit(anEmail(), address)).toEqual(ok(undefined));
      expect(await admit(anEmail(), address)).toEqual(refusal(60));
      expect(await admit(anEmail(), anAddress())).toEqual(ok(undefined));
      clock.advance(60_000);
      expect(await admit(anEmail(), address)).toEqual(ok(undefined));
    });

    test('an account gets so many failures, from whatever addresses, then one attempt in each pause', async () => {
      const email = anEmail();
      for (let attempt = 0; attempt < 5; attempt += 1)
        expect((await admit(email, anAddress())).ok).toBe(true);
      expect(await admit(email, anAddress())).toEqual(refusal(30));
      clock.advance(20_000);
      expect(await admit(email, anAddress())).toEqual(refusal(10));
      clock.advance(10_000);
      expect((await admit(email, anAddress())).ok).toBe(true);
      expect(await admit(email, anAddress())).toEqual(refusal(30));
    });

    test('attempts made at once get no further than attempts one by one', async () => {
      const email = anEmail();
      const outcomes = await Promise.all(Array.from({ length: 40 }, () => admit(email, anAddress())));
      expect(outcomes.filter((outcome) => outcome.ok)).toHaveLength(5);
      const address = anAddress();
      const fromOne = await Promise.all(Array.from({ length: 40 }, () => admit(anEmail(), address)));
      expect(fromOne.filter((outcome) => outcome.ok)).toHaveLength(10);
    });

    test('a success clears the account and gives its own count back to the address, no more', async () => {
      const [email, address] = [anEmail(), anAddress()];
      for (let attempt = 0; attempt < 5; attempt += 1) await admit(email, address);
      await opened.throttle.succeeded({ email, address });
      for (let attempt = 0; attempt < 5; attempt += 1) expect((await admit(email, address)).ok).toBe(true);
      // 10 attempts, one given back: one more is left to the address.
      expect((await admit(anEmail(), address)).ok).toBe(true);
      expect((await admit(anEmail(), address)).ok).toBe(false);
    });

    test('a refused attempt counts for nothing', async () => {
      const [email, address] = [anEmail(), anAddress()];
      for (let attempt = 0; attempt < 5; attempt += 1) await admit(email, anAddress());
      for (let attempt = 0; attempt < 20; attempt += 1) expect((await admit(email, address)).ok).toBe(false);
      expect((await admit(anEmail(), address)).ok).toBe(true);
    });
  });
}
