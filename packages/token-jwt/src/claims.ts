import type { Instant } from '@gatehouse/domain/time';
import { fromPayload as fromClaims, type TokenClaims, toPayload as toClaims } from '@gatehouse/domain/tokens';

export function toPayload(claims: TokenClaims): Uint8Array {
  return Buffer.from(JSON.stringify(toClaims(claims, toNumericDate)));
}

/**
 * Returns the claims if the payload is encoded exactly as by `toPayload`: JSON has many encodings of the same claims, and
 * comparing bytes rejects all others.
 */
export function fromPayload(payload: Uint8Array): TokenClaims | undefined {
  const claims = fromClaims(parseJson(Buffer.from(payload).toString()), fromNumericDate);
  return claims && Buffer.compare(toPayload(claims), payload) === 0 ? claims : undefined;
}

function parseJson(text: string): Readonly<Record<string, unknown>> {
  try {
    return Object(JSON.parse(text));
  } catch {
    return {};
  }
}

/** Seconds since 1970 (RFC 7519 section 2). */
const toNumericDate = (instant: Instant) => instant / 1000;

const fromNumericDate = (claim: unknown) => (typeof claim === 'number' ? claim * 1000 : undefined);
