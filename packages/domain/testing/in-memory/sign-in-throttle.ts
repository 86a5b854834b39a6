import { err, ok } from '../../src/index.ts';
import type { SignInLimits, SignInThrottle } from '../../src/sign-in/index.ts';
import type { Clock } from '../../src/time/index.ts';

/** Creates a throttle in memory, which compares addresses as text; only adapters normalize their spelling. */
export function createInMemorySignInThrottle(ports: {
  readonly clock: Clock;
  readonly limits: SignInLimits;
}): SignInThrottle {
  const { clock, limits } = ports;
  const addresses = new Map<string, Window>();
  const accounts = new Map<string, { failures: number; last: number }>();
  const known = new Map<string, Window & { readonly until: number }>();
  const pairOf = ({ email, address }: { email: string; address: string }) => `${address} ${email}`;

  /** Uses one of the address's own attempts; false if it is unknown to the account or has none left. */
  function takeOwn(pair: string, now: number): boolean {
    const seen = known.get(pair);
    if (!seen || seen.until <= now) return false;
    const window = windowAt(seen, limits.knownAddress.windowMs, now);
    if (window.count >= limits.knownAddress.attempts) return false;
    known.set(pair, { ...window, count: window.count + 1, until: seen.until });
    return true;
  }

  function giveBack(address: string): void {
    const window = addresses.get(address);
    if (window && window.count > 0) addresses.set(address, { ...window, count: window.count - 1 });
  }

  return {
    async admit({ email, address }) {
      const now = clock.now();
      const window = windowAt(addresses.get(address), limits.address.windowMs, now);
      if (window.count >= limits.address.attempts) {
        return err(tooMany('address', window.since + limits.address.windowMs - now));
      }
      const account = accounts.get(email) ?? { failures: 0, last: now };
      const wait = account.last + limits.account.pauseMs - now;
      const isFull = account.failures >= limits.account.failures && wait > 0;
      const own = takeOwn(pairOf({ email, address }), now);
      if (isFull && !own) return err(tooMany('account', wait));

      addresses.set(address, { ...window, count: window.count + 1 });
      if (!isFull) accounts.set(email, { failures: account.failures + 1, last: now });
      return ok(undefined);
    },
    async release({ email, address }) {
      accounts.delete(email);
      giveBack(address);
    },
    async succeeded({ email, address }) {
      const now = clock.now();
      accounts.delete(email);
      const until = now + limits.knownAddress.memoryMs;
      known.set(pairOf({ email, address }), { count: 0, since: now, until });
      giveBack(address);
    },
  };
}

interface Window {
  readonly count: number;
  readonly since: number;
}

function windowAt(seen: Window | undefined, lengthMs: number, now: number): Window {
  return seen && now - seen.since < lengthMs ? seen : { count: 0, since: now };
}

function tooMany(limit: 'address' | 'account', milliseconds: number) {
  return { code: 'too_many_attempts', limit, retryAfterSeconds: Math.ceil(milliseconds / 1000) } as const;
}
