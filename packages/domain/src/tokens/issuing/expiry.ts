import { type InvalidInput, invalid, ok, type Result } from '../../result.ts';
import { type Instant, LAST_INSTANT } from '../../time/instant.ts';

/** When a token expires: after this many milliseconds, or at a time. */
export type End = { readonly in: number } | { readonly at: Instant };

/** When the token expires: after this many milliseconds, at a time, or never. */
export type Expiry = End | 'never';

/** Returns the expiry after this lifetime in milliseconds; null is a token that never expires. */
export const lifetimeToExpiry = (lifetimeMs: number | null): Expiry =>
  lifetimeMs === null ? 'never' : { in: lifetimeMs };

/**
 * Returns the time of the expiry, which must be at least one second from now. An error names `expires_at` or
 * `expires_in`, depending on which one was given.
 */
export function endFrom(now: Instant, end: End): Result<Instant, InvalidInput> {
  const [field, at] = 'at' in end ? ['expires_at', end.at] : ['expires_in', (now + end.in) as Instant];
  // Expiries are rounded down to whole seconds. A token with less than one second left would never be accepted.
  if (at < now + 1000) {
    return invalid(field, field === 'expires_in' ? 'must be at least one second' : 'must be in the future');
  }
  return at > LAST_INSTANT ? invalid(field, 'must end before the year 10000') : ok(at);
}
