import { type Clock, err, ok, type SignInLimits, type SignInThrottle } from '../../src/index.ts';

/** Limits in memory. It takes an address as its text; what spellings are one address is for adapters to know. */
export function createInMemorySignInThrottle(ports: {
  readonly clock: Clock;
  readonly limits: SignInLimits;
}): SignInThrottle {
  const { clock, limits } = ports;
  const addresses = new Map<string, { count: number; since: number }>();
  const accounts = new Map<string, { failures: number; last: number }>();

  return {
    async admit({ email, address }) {
      const now = clock.now();
      const seen = addresses.get(address);
      const window = seen && now - seen.since < limits.address.windowMs ? seen : { count: 0, since: now };
      if (window.count >= limits.address.attempts) {
        return err(tooMany(window.since + limits.address.windowMs - now));
      }
      const account = accounts.get(email) ?? { failures: 0, last: now };
      const wait = account.last + limits.account.pauseMs - now;
      if (account.failures >= limits.account.failures && wait > 0) return err(tooMany(wait));

      addresses.set(address, { ...window, count: window.count + 1 });
      accounts.set(email, { failures: account.failures + 1, last: now });
      return ok(undefined);
    },
    async succeeded({ email, address }) {
      accounts.delete(email);
      const window = addresses.get(address);
      if (window && window.count > 0) addresses.set(address, { ...window, count: window.count - 1 });
    },
  };
}

function tooMany(milliseconds: number) {
  return { code: 'too_many_attempts', retryAfterSeconds: Math.ceil(milliseconds / 1000) } as const;
}
