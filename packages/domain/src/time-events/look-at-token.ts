import { addMilliseconds, type Instant } from '../time/instant.ts';
import { lookAtExpiry } from './expiry.ts';
import { lookAtNetworks } from './new-networks.ts';
import type { TokenOutcome } from './time-events.ts';
import { DAY_MS, type WatchedToken } from './token-watch.ts';
import { lookAtUse } from './unused.ts';

/** Decides which events of time a token has, and when to look at it again. */
export function lookAtToken(found: WatchedToken, now: Instant): TokenOutcome {
  const { record, watch } = found;
  if (record.revocation !== null) return { events: [], watch: { ...watch, lookAt: null } };
  // No program can use the token now, but the user or the account may become active again.
  if (record.user.disabledAt !== null || record.account.suspendedAt !== null)
    return { events: [], watch: { ...watch, lookAt: addMilliseconds(now, DAY_MS) } };
  const [expiry, use, networks] = [
    lookAtExpiry(found, now),
    lookAtUse(found, now),
    lookAtNetworks(found, now),
  ];
  const times = [expiry.next, use.next].filter((next) => next !== null);
  return {
    events: [expiry, use, networks].flatMap(({ events }) => events),
    watch: {
      ...expiry.watch,
      ...use.watch,
      ...networks.watch,
      lookAt: times.length === 0 ? null : (Math.min(...times) as Instant),
    },
  };
}
