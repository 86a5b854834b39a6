import { formatInstant, type Instant, parseInstant } from '@gatehouse/domain/time';
import { fromPayload as fromClaims, type TokenClaims, toPayload as toClaims } from '@gatehouse/domain/tokens';

export function toPayload(claims: TokenClaims) {
  return toClaims(claims, toDateTime);
}

export function fromPayload(payload: Readonly<Record<string, unknown>>): TokenClaims | undefined {
  return fromClaims(payload, fromDateTime);
}

/** RFC 3339 in UTC, without a fraction (PASETO, 04-Claims.md). */
const toDateTime = (instant: Instant) => formatInstant(instant).replace('.000Z', 'Z');

const fromDateTime = (claim: unknown) => (typeof claim === 'string' ? parseInstant(claim) : undefined);
