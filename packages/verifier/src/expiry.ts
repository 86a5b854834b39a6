/** Whether a token has expired; `soon` if only Gatehouse can tell. */
export type Expiry = 'valid' | 'soon' | 'expired';

/** Within this time before the end, the clocks of two servers may differ in their opinion. */
const MARGIN_MS = 1000;

/**
 * Decides at each use, by no timer, whether a token has expired.
 *
 * @param expiresAt in milliseconds since 1970; infinite if the token never expires
 * @param latestTime the latest time of day that Gatehouse can have now, in milliseconds since 1970
 */
export function expiryOf(expiresAt: number, latestTime: () => number): Expiry {
  // Most tokens never expire. They need no clock.
  if (expiresAt === Number.POSITIVE_INFINITY) return 'valid';
  const left = expiresAt - latestTime();
  if (left <= 0) return 'expired';
  return left <= MARGIN_MS ? 'soon' : 'valid';
}
