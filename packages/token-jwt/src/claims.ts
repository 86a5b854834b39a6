import { type Instant, LAST_INSTANT } from '@gatehouse/domain/time';
import { parseTokenId, TOKEN_KINDS, type TokenClaims } from '@gatehouse/domain/tokens';
import { parseUserId } from '@gatehouse/domain/users';

/** The claims under their registered names (RFC 7519 section 4.1), in the only order that is written and accepted. */
export function toPayload(claims: TokenClaims): Uint8Array {
  const payload = {
    iss: claims.issuer,
    aud: claims.audience,
    sub: String(claims.subject),
    jti: claims.tokenId,
    iat: toNumericDate(claims.issuedAt),
    ...(claims.expiresAt !== null && { exp: toNumericDate(claims.expiresAt) }),
    kind: claims.kind,
  };
  return Buffer.from(JSON.stringify(payload));
}

/**
 * Returns the claims if the payload is encoded exactly as by `toPayload`: JSON has many encodings of the same claims, and
 * comparing bytes rejects all others.
 */
export function fromPayload(payload: Uint8Array): TokenClaims | undefined {
  const claims = toClaims(parseJson(Buffer.from(payload).toString()));
  return claims && Buffer.compare(toPayload(claims), payload) === 0 ? claims : undefined;
}

function toClaims({ iss, aud, sub, jti, iat, exp, kind: name }: JsonObject): TokenClaims | undefined {
  if (typeof iss !== 'string' || typeof aud !== 'string') return undefined;
  const subject = typeof sub === 'string' ? parseUserId(sub) : undefined;
  const tokenId = typeof jti === 'string' ? parseTokenId(jti) : undefined;
  const issuedAt = fromNumericDate(iat);
  const expiresAt = exp === undefined ? null : fromNumericDate(exp);
  const kind = TOKEN_KINDS.find((known) => known === name);
  if (subject === undefined || tokenId === undefined || kind === undefined) return undefined;
  if (issuedAt === undefined || expiresAt === undefined) return undefined;
  return { issuer: iss, audience: aud, subject, tokenId, issuedAt, expiresAt, kind };
}

type JsonObject = Readonly<Record<string, unknown>>;

function parseJson(text: string): JsonObject {
  try {
    return Object(JSON.parse(text));
  } catch {
    return {};
  }
}

/** Seconds since 1970 (RFC 7519 section 2). */
function toNumericDate(instant: Instant): number {
  const seconds = instant / 1000;
  if (!isTokenDate(seconds))
    throw new RangeError('the dates of a token are whole seconds up to the year 9999');
  return seconds;
}

function fromNumericDate(claim: unknown): Instant | undefined {
  return typeof claim === 'number' && isTokenDate(claim) ? ((claim * 1000) as Instant) : undefined;
}

function isTokenDate(seconds: number): boolean {
  return Number.isInteger(seconds) && seconds >= 0 && seconds * 1000 <= LAST_INSTANT;
}
