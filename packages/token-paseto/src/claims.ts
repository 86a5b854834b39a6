import { formatInstant, type Instant } from '@gatehouse/domain/time';
import { fromPayload as fromClaims, type TokenClaims, toPayload as toClaims } from '@gatehouse/domain/tokens';

export function toPayload(claims: TokenClaims) {
  return toClaims(claims, toDateTime);
}

export function fromPayload(payload: Readonly<Record<string, unknown>>): TokenClaims | undefined {
  return fromClaims(payload, fromDateTime);
}

/** RFC 3339 in UTC, without a fraction (PASETO, 04-Claims.md). */
const toDateTime = (instant: Instant) => `${formatInstant(instant).slice(0, -'.000Z'.length)}Z`;

/**
 * Accepts other spellings too, at a quarter of the cost of `parseInstant`. The comparison of bytes then rejects all but
 * that of `toDateTime`.
 */
const fromDateTime = (claim: unknown) => (typeof claim === 'string' ? Date.parse(claim) : undefined);
