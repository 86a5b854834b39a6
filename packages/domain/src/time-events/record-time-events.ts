import { refuseWhileOlder } from '../editions/refuse-while-older.ts';
import type { Ports } from '../ports.ts';
import { KEY_DUE_MS } from '../signing-keys/signing-key.ts';
import { addMilliseconds } from '../time/instant.ts';
import { lookAtToken } from './look-at-token.ts';
import { keyDue, policyExceeded } from './time-event.ts';
import type { BatchDone } from './time-events.ts';

/** Tokens, keys or accounts per batch. */
const BATCH = 500;

/** Accounts per batch: the tokens of each one are counted. */
const ACCOUNTS = 10;

/** Tokens of an account are counted only up to this number, so that the count is quick. */
const MAX_COUNTED = 1000;

export interface TimeEventOptions {
  /** Whether the addresses of requests may be stored, and so be told. */
  readonly addresses: boolean;
}

/**
 * Records one batch of events of time: of tokens, and then of keys and accounts. Call it again while it returns
 * `more: true`. It waits while a program of an older edition uses the database, which has no words for these events.
 */
export function recordTimeEvents({
  timeEvents,
  editions,
  clock,
}: Ports<'timeEvents' | 'editions' | 'clock'>) {
  return async ({ addresses }: TimeEventOptions): Promise<BatchDone> => {
    if (!(await refuseWhileOlder({ editions })).ok) return { more: false };
    const now = clock.now();
    const tokens = await timeEvents.lookAtTokens({ now, limit: BATCH }, (found) =>
      lookAtToken(addresses ? found : { ...found, usedFrom: [] }, now),
    );
    // The limits of all accounts are read at once, so not again for each batch of tokens.
    if (tokens.more) return tokens;
    const activatedUntil = addMilliseconds(now, -KEY_DUE_MS);
    const keys = await timeEvents.recordDueKeys({ activatedUntil, limit: BATCH }, (key) => keyDue(key, now));
    const accounts = await timeEvents.recordExceededPolicies(
      { now, limit: ACCOUNTS, countLimit: MAX_COUNTED },
      (accountId, count) => policyExceeded(accountId, count, now),
    );
    return { more: keys.more || accounts.more };
  };
}
