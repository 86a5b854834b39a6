import { type InvalidInput, invalid, ok, type Result } from '../../result.ts';
import { type Instant, LAST_INSTANT } from '../../time/instant.ts';

/** When a token ends by itself: after this many milliseconds, or at a time. */
export type End = { readonly in: number } | { readonly at: Instant };

/** When the token expires: after this many milliseconds, at a time, or never. */
export type Expiry = End | 'never';

/** Returns the time of the end, at least one second from now. */
export function endFrom(now: Instant, end: End): Result<Instant, InvalidInput> {
  const at = 'at' in end ? end.at : ((now + end.in) as Instant);
  // At least one second, because expiries are whole seconds and the token would otherwise never be accepted.
  if (at < now + 1000 || at > LAST_INSTANT) {
    return invalid('expires_at', 'must be in the future, and before the year 10000');
  }
  return ok(at);
}
