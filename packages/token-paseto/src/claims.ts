import { formatInstant, type Instant, LAST_INSTANT, parseInstant } from '@gatehouse/domain/time';
import { parseTokenId, TOKEN_KINDS, type TokenClaims } from '@gatehouse/domain/tokens';
import { parseUserId } from '@gatehouse/domain/users';

/** The claims under their registered names, in the only order that is written and accepted. */
export function toPayload(claims: TokenClaims): Record<string, string> {
  return {
    iss: claims.issuer,
    aud: claims.audience,
    sub: String(claims.subject),
    jti: claims.tokenId,
    iat: toDateTime(claims.issuedAt),
    ...(claims.expiresAt !== null && { exp: toDateTime(claims.expiresAt) }),
    kind: claims.kind,
  };
}

/**
 * Returns the claims if each is present and of its type. The caller compares the bytes with `toPayload`, which rejects
 * additional members and other encodings.
 */
export function fromPayload(payload: Readonly<Record<string, unknown>>): TokenClaims | undefined {
  const { iss, aud, sub, jti, iat, exp } = payload;
  if (typeof iss !== 'string' || typeof aud !== 'string') return undefined;
  const subject = typeof sub === 'string' ? parseUserId(sub) : undefined;
  const tokenId = typeof jti === 'string' ? parseTokenId(jti) : undefined;
  const issuedAt = fromDateTime(iat);
  const expiresAt = exp === undefined ? null : fromDateTime(exp);
  const kind = TOKEN_KINDS.find((known) => known === payload.kind);
  if (subject === undefined || tokenId === undefined || kind === undefined) return undefined;
  if (issuedAt === undefined || expiresAt === undefined) return undefined;
  return { issuer: iss, audience: aud, subject, tokenId, issuedAt, expiresAt, kind };
}

/** RFC 3339 in UTC, without a fraction (PASETO, 04-Claims.md). */
function toDateTime(instant: Instant): string {
  if (!isTokenDate(instant))
    throw new RangeError('the dates of a token are whole seconds up to the year 9999');
  return formatInstant(instant).replace('.000Z', 'Z');
}

function fromDateTime(claim: unknown): Instant | undefined {
  const instant = typeof claim === 'string' ? parseInstant(claim) : undefined;
  return instant !== undefined && isTokenDate(instant) ? instant : undefined;
}

function isTokenDate(instant: Instant): boolean {
  return Number.isInteger(instant / 1000) && instant >= 0 && instant <= LAST_INSTANT;
}
